import { batch, type Signal, signal } from '@preact/signals';
import { type Api, createApi, isAbort, Refusal } from './api.ts';
import { clearNotice, complain } from './notices.ts';
import { keptKey, unknownKey } from './page.ts';

/** State of the connection to the service. */
export type Connection = 'connecting' | 'connected' | 'reconnecting' | 'not connected';

export const connection: Signal<Connection> = signal('connecting');

/** The world on show; a new one when another key is chosen. */
export const api: Signal<Api> = signal(createApi(keptKey()));

/** Why the service refuses the key; empty while it accepts it. */
export const refusedBecause: Signal<string> = signal('');

const eventNames = ['state', 'clock', 'exchange', 'faults'] as const;

/** Name of an event of `/_mock/events`. */
type EventName = (typeof eventNames)[number];

/** Callbacks of a part of the page that follows the world. */
interface WorldListener {
  /** Something changed, or anything may have changed while the page was not connected. */
  readonly changed?: (names: ReadonlySet<EventName>, now?: number) => void;
  /** Another world is about to be shown. */
  readonly left?: () => void;
}

const listeners = new Set<WorldListener>();

/** Follows whichever world is on show. */
export function listen(listener: WorldListener): void {
  listeners.add(listener);
}

function announceChange(names: readonly EventName[], now?: number): void {
  for (const { changed } of listeners) changed?.(new Set(names), now);
}

/** A signal that has its initial value again when another world is shown. */
export function worldSignal<Value>(initial: Value): Signal<Value> {
  const current = signal(initial);
  listen({
    left: () => {
      current.value = initial;
    },
  });
  return current;
}

/** Milliseconds before the page connects again. */
const pause = 1000;

/** Shows the world of a key. The promise settles once it is connected or refused. */
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
      const isUnknown = error instanceof Refusal && error.status === 401;
      refusedBecause.value = isUnknown ? unknownKey : error.message;
      resolve();
    });
  });
}

/** Follows a world until its api is closed, and connects again whenever the server was away. */
async function keepListening(from: Api, connectedOnce: () => void): Promise<void> {
  for (;;) {
    try {
      await readEvents(from, connectedOnce);
    } catch (error) {
      if (isAbort(error)) return;
      // With 503 another process of a shared store has the world for now.
      if (error instanceof Refusal && error.status !== 503) throw error;
    }
    connection.value = 'reconnecting';
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Reads the events of a world until they end. An `EventSource` could not send the key. */
async function readEvents(from: Api, connectedOnce: () => void): Promise<void> {
  const { body } = await from.open('GET /_mock/events');
  if (body === null) return;
  connection.value = 'connected';
  connectedOnce();
  announceChange(eventNames);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    const end = text.lastIndexOf('\n\n');
    if (end === -1) continue;
    readEventText(text.slice(0, end));
    text = text.slice(end + 2);
  }
}

/** Announces events that came together as one change, so that each source loads once. */
function readEventText(text: string): void {
  const names = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name as EventName);
  const times = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '{}']) => JSON.parse(data).now);
  announceChange(names, times.at(-1));
}

/** Data of the world that is kept up to date while a component shows it. */
export interface Source<Value> {
  /** `undefined` until it is loaded. */
  readonly value: Value | undefined;
  /** Loads it again. The promise settles when the new value is set; errors go to the status bar. */
  refresh(): Promise<void>;
}

/** Makes a source; `changedBy` are the events after which it is loaded again. */
export function createSource<Value>(
  changedBy: readonly EventName[],
  load: (api: Api, before: Value | undefined) => Promise<Value>,
): Source<Value> {
  let isWatched = false;
  const current = signal<Value | undefined>(undefined, {
    watched() {
      isWatched = true;
      refresh();
    },
    unwatched() {
      isWatched = false;
    },
  });
  const refresh = oneAtATime(async () => {
    const from = api.value;
    if (connection.value !== 'connected') return;
    const loaded = await load(from, current.value);
    if (from === api.value) current.value = loaded;
  });
  listen({
    changed(names) {
      if (isWatched && changedBy.some((name) => names.has(name))) refresh();
    },
    left() {
      current.value = undefined;
    },
  });
  return {
    get value() {
      return current.value;
    },
    refresh,
  };
}

/** Runs one load at a time. A call during a load causes one more. */
function oneAtATime(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    next = undefined;
    running = load()
      .catch(complain)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running.then(run);
    return next;
  };
}
