import { batch, type Signal, signal } from '@preact/signals';
import { type Api, createApi, isAbort } from './api.ts';
import { type Listener, readEvents } from './events.ts';
import { clearNotice } from './notice.ts';
import { keptKey } from './page.ts';
import { wait } from './page-time.ts';
import { Refusal } from './refusal.ts';

/** How the page stands with the service. */
export type Connection = 'connecting' | 'connected' | 'reconnecting' | 'not connected';

export const connection: Signal<Connection> = signal('connecting');

/** The world that is shown; another one once another key is chosen. */
export const api: Signal<Api> = signal(createApi(keptKey()));

/** Why the service does not accept the key; empty while it does. */
export const refusedBecause: Signal<string> = signal('');

/** What is called when the page connects, and for each event after that. */
interface WorldListener extends Partial<Listener> {
  /** Another world is about to be shown: what was known is another key's. */
  readonly left?: () => void;
}

const listeners = new Set<WorldListener>();

/** Has a part of the page hear of the world, whichever is shown. */
export function listen(listener: WorldListener): void {
  listeners.add(listener);
}

/** The status while another process of a shared store has the world: it comes back by itself. */
const unavailable = 503;

/** Milliseconds before a broken connection is tried again. */
const pause = 1000;

/** Shows the world of a key; the promise settles once it is connected, or refused. */
export function openWorld(key: string): Promise<void> {
  api.value.close();
  batch(() => {
    api.value = createApi(key);
    connection.value = key === '' ? 'not connected' : 'connecting';
    refusedBecause.value = '';
    clearNotice();
    for (const { left } of listeners) left?.();
  });
  if (key === '') return Promise.resolve();
  return new Promise((resolve) => {
    keepListening(api.value, resolve).catch((error: Error) => {
      connection.value = 'not connected';
      refusedBecause.value = error.message;
      resolve();
    });
  });
}

/** Hears of a world until its api is closed; connects again when the server was away. */
async function keepListening(from: Api, connectedOnce: () => void): Promise<void> {
  const connected = (): void => {
    connection.value = 'connected';
    connectedOnce();
    for (const listener of listeners) listener.connected?.();
  };
  const happened: Listener['happened'] = (names, now) => {
    for (const listener of listeners) listener.happened?.(names, now);
  };
  for (;;) {
    try {
      await readEvents(from, { connected, happened });
    } catch (error) {
      if (isAbort(error)) return;
      if (error instanceof Refusal && error.status !== unavailable) throw error;
    }
    connection.value = 'reconnecting';
    await wait(pause);
  }
}
