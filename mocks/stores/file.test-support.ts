import { type FileHandle, open } from 'node:fs/promises';
import { type MockInstance, onTestFinished, vi } from 'vitest';
import type { Change } from '../state/change.ts';
import { combine } from '../state/state.ts';
import { type FileStore, fileStore } from './file.ts';
import type { Store } from './store.ts';

/** Opens a store for `use`, as one run of a program does. */
export async function during<Value>(
  path: string,
  use: (store: FileStore) => Promise<Value>,
): Promise<Value> {
  const store = await fileStore(path);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The worlds in a file, each as JSON, by name. */
export async function readWorlds(path: string): Promise<Record<string, string>> {
  return during(path, async (store) => {
    const worlds = (await store.names()).map(async (name) => {
      return [name, JSON.stringify(combine(await store.open(name)))] as const;
    });
    return Object.fromEntries(await Promise.all(worlds));
  });
}

/** Worlds that a test changes and keeps, none at first, with all their states so far, oldest first. */
export function changedWorlds() {
  const changes = new Map<string, Change[]>();
  const states: Record<string, string>[] = [{}];
  return {
    states,
    /** Makes several changes at once, and resolves when they are kept. */
    async change(
      store: Store,
      ...many: readonly (readonly [name: string, change: Change])[]
    ): Promise<void> {
      const kept = many.map(([name, change]) => {
        const all = [...(changes.get(name) ?? []), change];
        changes.set(name, all);
        states.push({ ...states.at(-1), [name]: JSON.stringify(combine(all)) });
        return store.append(name, [change], () => combine(changes.get(name) ?? []));
      });
      await Promise.all(kept);
    },
  };
}

/** Watches what is appended to all open files, until the test ends. */
export async function spyOnAppends(): Promise<MockInstance<FileHandle['appendFile']>> {
  const file = await open(import.meta.filename);
  const spy = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'appendFile');
  await file.close();
  onTestFinished(() => spy.mockRestore());
  return spy;
}
