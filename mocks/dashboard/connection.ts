import type { Api } from './api.ts';
import { find, setText } from './dom.ts';
import { type Listener, readEvents } from './events.ts';
import { complain } from './notices.ts';
import { wait } from './page-time.ts';

const badge = find('connection', HTMLParagraphElement);

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

function showStatus(text: string): void {
  setText(badge, text);
  badge.className = `badge ${text}`;
}

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && typeof error.cause === 'number';
}
