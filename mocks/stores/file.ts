import { lstat, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { optionError } from '../../option-error.ts';
import { Problem } from '../messages/problem.ts';
import type { Change } from '../state/change.ts';
import { changeTexts } from './change-lines.ts';
import { lockFile } from './file-lock.ts';
import { ignoreMissingFile, openLog } from './log.ts';
import type { Store } from './store.ts';

/** A {@link Store} in an open file. */
export interface FileStore extends Store {
  /** Says what was dropped, when the file ended in an incomplete change. */
  readonly notice?: string;
  /**
   * Refuses further changes, waits until all are written, and releases the file. What could not be
   * written is tried once more.
   * @throws Problem 507, in one sentence, when that fails.
   */
  close(): Promise<void>;
}

/**
 * Keeps the worlds of one mock in a file, which the first change creates if it is missing. Each change
 * is appended, and its request is answered once it is on the disk. Changes that come during a write are
 * written together. A file that is much longer than what it says is compacted when it is opened.
 *
 * @throws RangeError, in one sentence, for a file that cannot be used, or that another mock has open.
 * @example
 * ```ts
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { createMock } from 'livestream-mock';
 * import { fileStore } from 'livestream-mock/node';
 *
 * const path = join(tmpdir(), `worlds-${process.pid}.data`);
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
  const { file, release, log } = await openFile(path);
  const { kept, notice } = log;
  const worlds = new Map([...kept].map(([name, changes]) => [name, () => changes]));
  const unkept = new Set<string>();
  let waiting: string[] = [];
  let written = Promise.resolve();
  let closed = false;

  const readAll = () => new Map([...worlds].map(([name, read]) => [name, read()]));
  const writeWaiting = (): Promise<void> => {
    const texts = waiting;
    waiting = [];
    return log.write(texts, readAll);
  };
  /** What comes during a write is written together after it. */
  const write = (name: string, changes: readonly Change[]): Promise<void> => {
    const isFirst = waiting.length === 0;
    for (const change of changes) waiting.push(...changeTexts(change, name));
    if (isFirst) written = written.then(writeWaiting, writeWaiting);
    return written;
  };
  return {
    ...(notice !== undefined && { notice }),
    open: async (name) => worlds.get(name)?.() ?? [],
    async append(name, changes, whole) {
      // Another mock may have the file by now.
      if (closed) throw notWritten(file, new Error('a store that was closed'), 'it is not kept');
      worlds.set(name, () => [whole()]);
      unkept.add(name);
      await write(name, changes).catch((error) => {
        throw notWritten(file, error, 'it is made and will be kept with the next one');
      });
      unkept.delete(name);
    },
    names: async () => [...worlds.keys()],
    async close() {
      closed = true;
      await written.catch(() => {});
      try {
        await Promise.all([...unkept].map((name) => write(name, worlds.get(name)?.() ?? [])));
      } catch (error) {
        throw notWritten(file, error, 'it is lost');
      } finally {
        release();
      }
    },
  };
}

/** @throws RangeError, in one sentence, for a file that cannot be used or that another mock has open. */
async function openFile(path: string) {
  let file = resolve(path);
  let release = (): void => {};
  try {
    const found = await stat(file).catch(ignoreMissingFile);
    if (found !== undefined) {
      // Opening a pipe would wait for its writer.
      if (!found.isFile()) throw unusable(file, 'which is not a regular file; name one');
      // Each name would have a lock of its own.
      if (found.nlink > 1) throw unusable(file, 'which has hard links; give a copy');
      file = await realpath(file);
    } else if ((await lstat(file).catch(ignoreMissingFile)) !== undefined) {
      // The first change would put a file in place of the link.
      throw unusable(file, 'which is a link to nothing; name a file');
    }
    release = await lockFile(file);
    return { file, release, log: await openLog(file) };
  } catch (error) {
    release();
    if (error instanceof RangeError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const noFolder = 'whose folder does not exist; make the folder first';
    throw unusable(file, code === 'ENOENT' ? noFolder : message);
  }
}

function unusable(file: string, reason: string): RangeError {
  const expected = 'a file that can be read and written';
  return optionError(RangeError, 'data', `expected ${expected}, got ${file}, ${reason}`);
}

function notWritten(file: string, error: unknown, outcome: string): Problem {
  if (error instanceof Problem) return error;
  return new Problem('not-kept', {
    path: 'data',
    expected: `room for the change in ${file}`,
    got: (error as Error).message,
    advice: outcome,
  });
}
