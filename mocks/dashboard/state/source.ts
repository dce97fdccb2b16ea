import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Api } from './api.ts';
import { api, connection, listen } from './connection.ts';
import type { EventName } from './events.ts';
import { complain } from './notice.ts';

/** Something of the world that is loaded anew whenever it may have changed, while it is shown. */
export interface Source<Value> {
  /** `undefined` until it is loaded. */
  readonly value: ReadonlySignal<Value | undefined>;
  /** Loads it; the promise settles when that is shown. Errors go to the status bar. */
  refresh(): Promise<void>;
  /** Begins to keep it up to date; the function returned ends that. */
  watch(): () => void;
}

/** Makes a source; `changedBy` are the events after which it may be another one. */
export function createSource<Value>(
  changedBy: readonly EventName[],
  load: (api: Api, before: Value | undefined) => Promise<Value>,
): Source<Value> {
  const value = signal<Value | undefined>(undefined);
  let watchers = 0;
  const refresh = inTurn(async () => {
    const from = api.value;
    if (connection.value !== 'connected') return;
    const loaded = await load(from, value.value);
    if (from === api.value) value.value = loaded;
  });
  listen({
    connected: () => {
      if (watchers > 0) refresh();
    },
    happened: (names) => {
      if (watchers > 0 && changedBy.some((name) => names.has(name))) refresh();
    },
    left: () => {
      value.value = undefined;
    },
  });
  return {
    value,
    refresh,
    watch() {
      watchers += 1;
      refresh();
      return () => {
        watchers -= 1;
      };
    },
  };
}

/** The value of a source, which is kept up to date while the component is shown. */
export function useSource<Value>({ value, watch }: Source<Value>): Value | undefined {
  useEffect(watch, [watch]);
  return value.value;
}

/** Runs one load at a time. A change during a load causes one more. */
function inTurn(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = load()
      .catch(complain)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
}
