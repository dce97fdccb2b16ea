import * as z from 'zod';
import { parseJsonText } from '../../text/json-text.ts';
import { validate } from '../messages/validate.ts';
import { exportedStateSchema } from '../service/exported-state.ts';
import { type Replacement, refuseContradictions } from '../state/change.ts';
import type { Store } from './store.ts';

/** Options of {@link browserStore}. */
export interface BrowserStoreOptions {
  /** The beginning of the worlds' keys in `localStorage`; default `livestream-mock`. */
  name?: string;
}

/**
 * Keeps worlds in the browser's `localStorage`, so that they survive a reload and tabs share them. If two tabs change
 * a world at the same moment, the last change wins. `POST /_mock/reset` or `world.reset()` puts a world back to its
 * beginning. A world that cannot be read starts afresh, and one for which there is no space is only in memory. The
 * console warns once about each.
 */
export function browserStore({ name = 'livestream-mock' }: BrowserStoreOptions = {}): Store {
  const prefix = `${name}/`;
  const warnUnreadable = warnOnce('a world cannot be read and starts afresh');
  const warnUnsaved = warnOnce('a world cannot be saved and is lost on the next reload');
  return {
    async open(world) {
      try {
        const text = localStorage.getItem(prefix + world);
        return text === null ? [] : [readKeptWorld(text)];
      } catch (exception) {
        warnUnreadable(prefix + world, exception);
        return [];
      }
    },
    async append(world, _changes, whole) {
      try {
        localStorage.setItem(prefix + world, JSON.stringify(whole()));
      } catch (exception) {
        warnUnsaved(prefix + world, exception);
      }
    },
    async names() {
      try {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
        return keys.map((key) => key.slice(prefix.length));
      } catch {
        // The page may not use it, or it is rendered on a server.
        return [];
      }
    },
    async delete(world) {
      globalThis.localStorage?.removeItem(prefix + world);
    },
    watch(world, changed) {
      globalThis.addEventListener?.('storage', ({ key, storageArea }) => {
        // The key is null if all keys were removed at once.
        const isThisWorld = key === prefix + world || key === null;
        if (isThisWorld && storageArea === localStorage) changed();
      });
    },
  };
}

const worldSchema: z.ZodType<Replacement> = z.strictObject(
  { at: z.number('a number of milliseconds'), state: exportedStateSchema },
  'a world that this mock has saved',
);

/** @throws Error that says why the text is not a kept world. */
function readKeptWorld(text: string): Replacement {
  const world = validate(worldSchema, parseJsonText(text));
  refuseContradictions(world.state);
  return world;
}

function warnOnce(problem: string): (key: string, exception: unknown) => void {
  let hasWarned = false;
  return (key, exception) => {
    if (hasWarned) return;
    hasWarned = true;
    const reason = exception instanceof Error ? exception.message : String(exception);
    // biome-ignore lint/suspicious/noConsole: requests must not fail for it, and a page has no other log
    console.warn(`livestream-mock: localStorage "${key}": ${problem}: ${reason}`);
  };
}
