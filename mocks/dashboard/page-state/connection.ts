import { type Signal, signal } from '@preact/signals';
import { api, complain, NoResponseError, RefusedError, say } from './api.ts';
import { unknownKey } from './page.ts';

/** State of the connection to the service. */
export type ConnectionState = 'connecting' | 'connected' | 'reconnecting' | 'not connected';

export const connection: Signal<ConnectionState> = signal('connecting');

/** A time without a connection. */
interface Outage {
  /** When it began, in milliseconds since 1970 on the reader's clock. */
  readonly since: number;
  /** Why the service refuses for now; empty if it does not respond. */
  readonly reason: string;
}

/** The present outage; `undefined` while the page is connected. */
export const outage: Signal<Outage | undefined> = signal(undefined);

/** Why the service refuses the key; empty while it accepts it. */
export const refusalReason: Signal<string> = signal('');

const eventNames = ['state', 'clock', 'exchange', 'faults', 'snapshots', 'ingest'] as const;

/** Name of an event of `/_mock/events`. */
type EventName = (typeof eventNames)[number];

/** Each is called with what changed, or may have changed while the page was not connected. */
const listeners = new Set<(names: readonly EventName[]) => void>();

function announceChange(names: readonly EventName[]): void {
  for (const listener of listeners) listener(names);
}

/** Milliseconds before the page reconnects. */
const reconnectDelay = 1000;

/** Follows the world until the server refuses, and reconnects whenever the server was down. */
export async function followWorld(): Promise<void> {
  while (api.apiKey !== '') {
    let reason = '';
    try {
      await readEvents();
    } catch (exception) {
      if (exception instanceof RefusedError) reason = exception.message;
      // 503 means that another process has the world of a shared store for now.
      if (exception instanceof RefusedError && exception.status !== 503) {
        refusalReason.value = exception.status === 401 ? unknownKey : reason;
        break;
      }
    }
    connection.value = 'reconnecting';
    outage.value = { since: outage.value?.since ?? Date.now(), reason };
    await new Promise((resolve) => setTimeout(resolve, reconnectDelay));
  }
  connection.value = 'not connected';
  outage.value = undefined;
}

function noteConnected(): void {
  connection.value = 'connected';
  if (outage.value === undefined) return;
  outage.value = undefined;
  say('Connected again.');
}

/** Reads the events of the world until they end. An `EventSource` could not send the key. */
async function readEvents(): Promise<void> {
  const { body } = await api.open('GET /_mock/events');
  if (body === null) return;
  noteConnected();
  announceChange(eventNames);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    const end = text.lastIndexOf('\n\n');
    if (end === -1) continue;
    // Events that arrive together count as one change, so each source loads once.
    const events = text.slice(0, end).matchAll(/^event: (\w+)$/gm);
    announceChange([...events].map(([, name]) => name as EventName));
    text = text.slice(end + 2);
  }
}

/** Data of the world that is kept up to date while a component shows it. */
export interface Source<Value> {
  /** `undefined` until it is loaded. */
  readonly value: Value | undefined;
  /** Loads it again. The promise settles when the new value is set; the page shows errors. */
  refresh(): Promise<void>;
}

/** Makes a source; `changedBy` are the events that make it load again. */
export function createSource<Value>(
  changedBy: readonly EventName[],
  load: (previous: Value | undefined) => Promise<Value>,
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
    if (connection.value === 'connected') current.value = await load(current.value);
  });
  listeners.add((names) => {
    if (isWatched && changedBy.some((name) => names.includes(name))) refresh();
  });
  return {
    get value() {
      return current.value;
    },
    refresh,
  };
}

/** Runs one load at a time. Calls during a load cause one more load. */
function oneAtATime(load: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      running = load().catch(complainOfRefusal);
      return running;
    });
    return next;
  };
}

/** The banner says that the server does not respond, once for all sources. */
function complainOfRefusal(exception: unknown): void {
  if (!(exception instanceof NoResponseError)) complain(exception);
}
