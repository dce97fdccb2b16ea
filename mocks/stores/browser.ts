import * as z from 'zod';
import { validate } from '../problems/validate.ts';
import { snapshotSchema } from '../service/export-import.ts';
import type { Replacement } from '../state/change.ts';
import { refuseContradictions } from '../state/saved-state.ts';
import type { Store } from './store.ts';

/** Where a browser's store keeps worlds. */
export interface BrowserStoreOptions {
  /** Begins the names under which worlds are kept; `livestream-mock` unless given. */
  name?: string;
}

/**
 * Keeps worlds in the browser's `localStorage`, so that they survive a reload and tabs share them;
 * of two changes at the same moment in two tabs the last counts. `POST /_mock/reset` or
 * `world.reset()` puts a world back to where it started. A world that cannot be read starts anew, and
 * one that has no room goes on in memory; the console says so, once each.
 */
export function browserStore({ name = 'livestream-mock' }: BrowserStoreOptions = {}): Store {
  const prefix = `${name}/`;
  const tellUnreadable = warnOnce('a world cannot be read and starts anew');
  const tellUnkept = warnOnce('a world cannot be kept and is lost on the next reload');
  return {
    async open(world) {
      try {
        const text = localStorage.getItem(prefix + world);
        return text === null ? [] : [readWorld(text)];
      } catch (error) {
        tellUnreadable(prefix + world, error);
        return [];
      }
    },
    async append(world, _changes, whole) {
      try {
        localStorage.setItem(prefix + world, JSON.stringify(whole()));
      } catch (error) {
        tellUnkept(prefix + world, error);
      }
    },
    async names() {
      return storedKeys()
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length));
    },
    watch(world, changed) {
      globalThis.addEventListener?.('storage', ({ key, storageArea }) => {
        // There is no key when all has been removed at once.
        const concerns = key === prefix + world || key === null;
        if (concerns && storageArea === localStorage) changed();
      });
    },
  };
}

const worldSchema: z.ZodType<Replacement> = z.strictObject(
  { at: z.number('a number of milliseconds'), state: snapshotSchema },
  'a world that this mock has saved',
);

/** @throws Error, which says why the text is no world that can be kept. */
function readWorld(text: string): Replacement {
  const world = validate(worldSchema, JSON.parse(text));
  refuseContradictions(world.state);
  return world;
}

function storedKeys(): readonly string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    // Forbidden to this page, or on a server that renders it.
    return [];
  }
}

function warnOnce(what: string): (key: string, error: unknown) => void {
  let told = false;
  return (key, error) => {
    if (told) return;
    told = true;
    const why = error instanceof Error ? error.message : String(error);
    // biome-ignore lint/suspicious/noConsole: no request may fail for it, and a page has no other log
    console.warn(`livestream-mock: localStorage "${key}": ${what}: ${why}`);
  };
}
