import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FileStore, fileStore } from './file.ts';

/** An empty folder, for the length of a test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'file-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Where a file can be, in a folder of its own. */
export async function newPath(): Promise<string> {
  return join(await newFolder(), 'state.json');
}

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
