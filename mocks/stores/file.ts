import { existsSync } from 'node:fs';
import { realpath, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { optionError } from '../../text/option-error.ts';
import type { Change } from '../state/change.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { openLog } from './log.ts';
import { type Store, saveProblem } from './store.ts';

/** A {@link Store} in an open file. */
export interface FileStore extends Store {
  /** Says what was removed, if the file ended in an incomplete change. */
  readonly notice?: string;
  /**
   * Refuses further changes, waits until all are written, and releases the file. A write that failed is tried once
   * more.
   * @throws Problem 507, in one sentence, if that fails.
   */
  close(): Promise<void>;
}

/**
 * Keeps the worlds of one mock in a file, which is created if it is missing. Each change is appended, and its request
 * is answered once the change is on the disk. If the file is much longer than its worlds need, opening compacts it.
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
  const { file, lock, log } = await openFile(path);
  const { notice } = log;
  /** Where the changes of each world are: in memory while a mock has it there, and then in the file. */
  const worlds = new Map<string, () => readonly Change[] | Promise<readonly Change[]>>();
  for (const [name, { changes }] of log.worlds) worlds.set(name, () => changes);
  log.worlds.clear();
  const unwritten = new Set<string>();
  let lastWrite = Promise.resolve();
  let closed = false;

  // Another mock may have the file by now.
  const refuseClosed = (): void => {
    if (closed) throw new Error(`${file} was closed`);
  };
  const enqueue = (write: () => Promise<void>): Promise<void> => {
    lastWrite = lastWrite.catch(() => {}).then(write);
    return lastWrite;
  };
  const write = async (name: string, changes: readonly Change[]): Promise<void> => {
    unwritten.add(name);
    await enqueue(() => log.append(name, changes));
    unwritten.delete(name);
  };
  return {
    ...(notice !== undefined && { notice }),
    open: async (name) => worlds.get(name)?.() ?? [],
    async append(name, changes, whole) {
      refuseClosed();
      worlds.set(name, () => [whole()]);
      await write(name, changes);
    },
    async delete(name) {
      refuseClosed();
      await enqueue(() => log.forget(name));
      worlds.delete(name);
      unwritten.delete(name);
    },
    async release(name) {
      if (!unwritten.has(name)) worlds.set(name, () => log.read(name));
    },
    names: async () => [...worlds.keys()],
    ping: log.refuseTouched,
    async close() {
      closed = true;
      await lastWrite.catch(() => {});
      let loss: Error | undefined;
      for (const name of unwritten) {
        await write(name, (await worlds.get(name)?.()) ?? []).catch((exception) => {
          loss ??= saveProblem(exception, 'the change is lost');
        });
      }
      await log.close().finally(() => lock.release());
      if (loss !== undefined) throw loss;
    },
  };
}

/**
 * Opens and locks a file.
 * @throws RangeError, in one sentence, for a file that cannot be used or that another mock has open.
 */
async function openFile(path: string) {
  let lock: FileLock | undefined;
  try {
    const stats = existsSync(path) ? await stat(path) : undefined;
    // Opening a pipe would wait for a reader.
    if (stats?.isFile() === false) throw new Error('not a regular file; name one');
    await writeFile(path, '', { flag: 'a', mode: 0o600 });
    const file = await realpath(path);
    lock = await lockFile(file);
    return { file, lock, log: await openLog(file, lock) };
  } catch (exception) {
    await lock?.release();
    if (exception instanceof RangeError) throw exception;
    const reason = `expected a file that can be read and written, got ${resolve(path)}: ${(exception as Error).message}`;
    throw optionError(RangeError, 'data', reason);
  }
}
