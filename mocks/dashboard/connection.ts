import type { Api } from './api.ts';
import { find, setText } from './dom.ts';
import { type Listener, readEvents } from './events.ts';
import { complain } from './notices.ts';
import { wait } from './page-time.ts';

const badge = find('connection', HTMLParagraphElement);
const connectedOnly = document.querySelectorAll<HTMLFieldSetElement>('fieldset[data-connected]');

/** What the badge can say, and the colour of each. */
const statuses = {
  connecting: '',
  connected: 'ready',
  reconnecting: 'waiting',
  'not connected': 'failed',
} as const;

/** Milliseconds before a broken connection is tried again. */
const pause = 1000;

/** Hears of a world until its api is closed or refused; connects again when the server was away. */
export async function keepListening(api: Api, listener: Listener): Promise<void> {
  const connected = (): void => {
    showStatus('connected');
    listener.connected();
  };
  for (;;) {
    try {
      await readEvents(api, { ...listener, connected });
    } catch (error) {
      if (isClosed(error)) return;
      if (isRefusal(error)) {
        showStatus('not connected');
        complain(error);
        return;
      }
    }
    showStatus('reconnecting');
    await wait(pause);
  }
}

/** Says how the page stands with the service; what needs it can be used only while it is there. */
export function showStatus(status: keyof typeof statuses): void {
  setText(badge, status);
  badge.className = `badge ${statuses[status]}`;
  for (const controls of connectedOnly) controls.disabled = status !== 'connected';
}

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && typeof error.cause === 'number';
}
