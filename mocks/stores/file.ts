import { lstat, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { optionError } from '../../option-error.ts';
import { Problem } from '../problems/problem.ts';
import { saveState } from '../state/build-state.ts';
import type { Change } from '../state/change.ts';
import { replay } from '../state/replay.ts';
import { countSaved } from '../state/saved-state.ts';
import { changeTexts, type KeptChanges } from './change-lines.ts';
import { lockFile } from './file-lock.ts';
import { ForeignChange, type Log, openLog } from './log.ts';
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
  const { file, log, release } = await openFile(path);
  const { notice } = log.contents;
  const worlds = new Map([...(await compact(log))].map(([name, changes]) => [name, () => changes]));
  const queue = new Set<Task>();
  const unkeptWorlds = new Set<string>();
  let running: Promise<void> | undefined;
  let closed = false;

  /** Writes some lines of every task, so that a large one holds up nobody; returns those that are done. */
  const writeSome = async (tasks: readonly Task[]): Promise<readonly Task[]> => {
    if (!log.canContinue()) {
      await log.renew(new Map([...worlds].map(([name, read]) => [name, read()])));
      return tasks;
    }
    await log.append(tasks.map(({ text }) => text).join(''));
    return tasks.filter((task) => {
      const { done, value } = task.further.next();
      task.text = value ?? '';
      return done;
    });
  };
  const run = async (): Promise<void> => {
    while (queue.size > 0) {
      // Lines of two changes of one world must not mix.
      const begun = new Set<string>();
      const tasks = [...queue].filter(({ world }) => !begun.has(world) && begun.add(world));
      try {
        for (const task of await writeSome(tasks)) {
          queue.delete(task);
          unkeptWorlds.delete(task.world);
          task.resolve();
        }
      } catch (error) {
        for (const task of tasks) {
          queue.delete(task);
          unkeptWorlds.add(task.world);
          task.reject(error);
        }
      }
    }
    running = undefined;
  };
  const write = (world: string, changes: readonly Change[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const further = changeTexts(changes, world);
      queue.add({ world, text: further.next().value ?? '', further, resolve, reject });
      // Changes that come in the same moment are written together.
      running ??= Promise.resolve().then(run);
    });
  return {
    ...(notice !== undefined && { notice }),
    open: async (name) => worlds.get(name)?.() ?? [],
    append(name, changes, whole) {
      // Another mock may have the file by now.
      if (closed) return Promise.reject(closedStore(file));
      worlds.set(name, () => [whole()]);
      return write(name, changes).catch((error) => {
        throw unkept(file, error);
      });
    },
    names: async () => [...worlds.keys()],
    async close() {
      closed = true;
      await running;
      const last = [...unkeptWorlds].map((name) => write(name, worlds.get(name)?.() ?? []));
      try {
        await Promise.all(last);
      } catch (error) {
        throw unkept(file, error, 'it is lost');
      } finally {
        await running;
        await log.close();
        release();
      }
    },
  };
}

/** Changes of a world that are yet to be written. */
interface Task {
  readonly world: string;
  /** What is written next, and what after it. */
  text: string;
  readonly further: Iterator<string, void>;
  resolve(): void;
  reject(error: unknown): void;
}

/** @throws RangeError, in one sentence, for a file that cannot be used or that another mock has open. */
async function openFile(path: string): Promise<{ file: string; log: Log; release: () => void }> {
  let file = resolve(path);
  let release = (): void => {};
  try {
    file = await findFile(file);
    release = await lockFile(file);
    return { file, release, log: await openLog(file) };
  } catch (error) {
    release();
    if (error instanceof RangeError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unusable(file, reasons[code] ?? message);
  }
}

/** Lines below which a log is not worth compacting. */
const fewLines = 2_000;

/** Writes a log anew that has over twice the lines that its worlds need. If that fails, it stays as it is. */
async function compact(log: Log): Promise<KeptChanges> {
  const { kept, lines } = log.contents;
  let needed = fewLines;
  for (const [first] of kept.values()) {
    if (first !== undefined && 'state' in first) needed += countSaved(first.state);
  }
  if (lines < 2 * needed) return kept;
  try {
    const worlds = new Map<string, readonly Change[]>();
    for (const [name, changes] of kept) {
      const { state, at, now, speed } = await replay(changes);
      const whole = saveState(state, { now: () => now, speed: () => speed });
      worlds.set(name, [{ at, state: whole }]);
    }
    await log.renew(worlds);
    return worlds;
  } catch {
    return kept;
  }
}

/** The path of a file with links resolved, or of one that will be created. */
async function findFile(path: string): Promise<string> {
  const there = await lstat(path).catch(() => undefined);
  if (there === undefined) return path;
  const kind = await stat(path).catch(() => undefined);
  if (kind === undefined) throw unusable(path, 'which is a link to nothing; name a file');
  if (kind.isDirectory()) throw unusable(path, 'which is a folder; name a file in it');
  // Opening a pipe would wait for its writer.
  if (!kind.isFile()) throw unusable(path, 'which is a pipe, a socket or a device; name a file');
  // Each name would have a lock of its own, and a compaction would give one of them a file of its own.
  if (kind.nlink > 1) {
    const names = `which has ${kind.nlink} names (hard links)`;
    throw unusable(path, `${names}; remove the others, or give a copy`);
  }
  return realpath(path);
}

function unusable(file: string, reason: string): RangeError {
  return optionError(
    RangeError,
    'data',
    `expected a file that can be read and written, got ${file}, ${reason}`,
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'whose folder does not exist; make the folder first',
  ENOTDIR: 'which lies in a file instead of a folder',
  EACCES: 'where this user has no right to; give another file',
  EPERM: 'where this user has no right to; give another file',
  EROFS: 'where nothing can be written; give another file',
  ENAMETOOLONG: 'whose name is too long',
};

function closedStore(file: string): Problem {
  return notKept(
    'a store that is open',
    `that of ${file}, which was closed`,
    'the change is made but not kept',
  );
}

function unkept(file: string, error: unknown, outcome?: string): Problem {
  const { message } = error as Error;
  const isForeign = error instanceof ForeignChange;
  return notKept(
    isForeign ? `${file} as this mock has written it` : `room for the change in ${file}`,
    message,
    outcome ?? (isForeign ? moveAway : 'it is made and will be kept with the next one'),
  );
}

const moveAway =
  'the change is made here and not kept; move that file away, and the next change writes everything anew';

function notKept(expected: string, got: string, advice: string): Problem {
  return new Problem('not-kept', { path: 'data', expected, got, advice });
}
