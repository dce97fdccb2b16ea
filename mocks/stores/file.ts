import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Problem } from '../problem.ts';
import { readWorldsFile } from './file-contents.ts';
import { lockFile } from './file-lock.ts';
import { replaceFile } from './replace-file.ts';
import type { SavedWorld, Store } from './store.ts';

/** A {@link Store} that has a file open. */
export interface FileStore extends Store {
  /** Takes no more changes, waits until all is written, and lets another have the file. */
  close(): Promise<void>;
}

/**
 * Keeps the worlds of one mock in a JSON file, which is made where there is none. A change is
 * answered once it is on the disk; changes that come while one is written are written together.
 *
 * @throws RangeError, in one sentence, for a file that cannot be used, or that another mock has.
 * @example
 * ```ts
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { createMock } from 'livestream-mock';
 * import { fileStore } from 'livestream-mock/node';
 *
 * const path = join(tmpdir(), `worlds-${process.pid}.json`);
 * const store = await fileStore(path);
 * const world = await createMock({ store }).world();
 * await world.createStream({ name: 'Harbour camera' });
 * await store.close();
 *
 * const again = await createMock({ store: await fileStore(path) }).world();
 * console.log(again.streams()[0]?.name); // Harbour camera
 * ```
 */
export async function fileStore(path: string): Promise<FileStore> {
  const file = await realpath(path).catch(() => resolve(path));
  const { worlds, release } = await openFile(file);
  const pending = new Map<string, () => SavedWorld>();
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let closed = false;
  const write = async (): Promise<void> => {
    next = undefined;
    for (const [name, read] of pending) worlds.set(name, JSON.stringify(read()));
    pending.clear();
    await keep(file, worlds);
  };
  return {
    async load(name) {
      const text = worlds.get(name);
      return text === undefined ? undefined : JSON.parse(text);
    },
    save(name, read) {
      // The file may be another's by now.
      if (closed) return Promise.reject(closedStore(file));
      pending.set(name, read);
      if (next === undefined) {
        next = last.then(write, write);
        last = next;
      }
      return next;
    },
    names: async () => [...worlds.keys()],
    async close() {
      closed = true;
      await last.catch(() => {});
      release();
    },
  };
}

/** The worlds of a file, each as JSON, by name. */
type Worlds = Map<string, string>;

async function openFile(file: string): Promise<{ worlds: Worlds; release: () => void }> {
  let release = (): void => {};
  try {
    release = await lockFile(file);
    return { worlds: await readWorldsFile(file), release };
  } catch (error) {
    release();
    if (error instanceof RangeError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new RangeError(
      `data: expected a file that can be read and written, got ${file}, ${faults[code] ?? message}`,
    );
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'whose folder does not exist; make the folder first',
  ENOTDIR: 'which lies in a file instead of a folder',
  EISDIR: 'which is a folder; name a file in it',
  EACCES: 'where this user has no right to; give another file',
  EPERM: 'where this user has no right to; give another file',
  EROFS: 'where nothing can be written; give another file',
  ENAMETOOLONG: 'whose name is too long',
};

function closedStore(file: string): Problem {
  return new Problem(
    507,
    `data: expected a store that is open, got that of ${file}, which was closed; the change is made but not kept`,
  );
}

async function keep(file: string, worlds: Worlds): Promise<void> {
  const entries = [...worlds].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  try {
    await replaceFile(file, `{"version":1,"worlds":{${entries.join(',\n')}}}\n`);
  } catch (error) {
    throw new Problem(
      507,
      `data: expected room for the change in ${file}, got ${(error as Error).message}; it is made and will be kept with the next one`,
    );
  }
}
