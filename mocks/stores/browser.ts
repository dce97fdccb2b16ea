import { readSavedWorld, type Store } from './store.ts';

/** Where a browser's store keeps worlds. */
export interface BrowserStoreOptions {
  /** Begins the names under which worlds are kept; `livestream-mock` unless given. */
  name?: string;
}

/**
 * Keeps worlds in the browser's `localStorage`, so that they survive a reload and tabs share them.
 * `POST /_mock/reset` or `world.reset()` puts a world back to where it started.
 */
export function browserStore({ name = 'livestream-mock' }: BrowserStoreOptions = {}): Store {
  const prefix = `${name}/`;
  return {
    async load(world) {
      const text = localStorage.getItem(prefix + world);
      return text === null ? undefined : readSavedWorld(JSON.parse(text));
    },
    async save(world, read) {
      localStorage.setItem(prefix + world, JSON.stringify(read()));
    },
    async names() {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length));
    },
    watch(changed) {
      addEventListener('storage', ({ key }) => {
        if (key?.startsWith(prefix)) changed(key.slice(prefix.length));
      });
    },
  };
}
