import { Problem } from '../problems/problem.ts';
import { isLarge, type NamedChange } from './log.ts';
import { ForeignChange } from './log-file.ts';
import { createLogWriter, type RenewalPurpose } from './log-writer.ts';
import { openFile } from './open-file.ts';
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
 * written together.
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
  const { file, kept, log, notice, release } = await openFile(path);
  const worlds = new Map([...kept].map(([name, changes]) => [name, () => changes]));
  const writer = createLogWriter(file, worlds, log);
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const done = last.then(task, task);
    last = done;
    return done;
  };
  const refuseUnkept = (error: unknown): never => {
    throw unkept(
      file,
      error,
      error instanceof ForeignChange
        ? 'the change is made here and not kept; move that file away, and the next change writes everything anew'
        : 'it is made and will be kept with the next one',
    );
  };
  let pending: NamedChange[] = [];
  let next: Promise<void> | undefined;
  let renewals = 0;
  let renewing: Promise<unknown> = Promise.resolve();
  let closed = false;
  const write = async (): Promise<void> => {
    const batch = pending;
    pending = [];
    next = undefined;
    await writer.write(batch);
    if (renewals === 0 && writer.isLong()) renew('compaction').catch(() => {});
  };
  /** Writes the file anew in steps, with the changes that come meanwhile written in between. */
  const renew = (purpose: RenewalPurpose): Promise<void> => {
    renewals += 1;
    const renewed = renewing.then(async () => {
      let isFirst = true;
      while (!closed || purpose === 'change') {
        if (!(await enqueue(() => writer.renew(purpose, isFirst)))) break;
        isFirst = false;
      }
    });
    renewing = renewed
      .catch(() => {})
      .then(() => {
        renewals -= 1;
      });
    return renewed;
  };
  return {
    ...(notice !== undefined && { notice }),
    open: async (name) => worlds.get(name)?.() ?? [],
    append(name, changes, whole) {
      // Another mock may have the file by now.
      if (closed) return Promise.reject(closedStore(file));
      worlds.set(name, () => [whole()]);
      if (changes.some(isLarge)) return renew('change').catch(refuseUnkept);
      for (const change of changes) pending.push([name, change]);
      next ??= enqueue(write).catch(refuseUnkept);
      return next;
    },
    names: async () => [...worlds.keys()],
    async close() {
      closed = true;
      await renewing;
      try {
        await enqueue(writer.close);
      } catch (error) {
        throw unkept(file, error, 'it is lost');
      } finally {
        release();
      }
    },
  };
}

function closedStore(file: string): Problem {
  return new Problem('not-kept', {
    path: 'data',
    expected: 'a store that is open',
    got: `that of ${file}, which was closed`,
    advice: 'the change is made but not kept',
  });
}

function unkept(file: string, error: unknown, outcome: string): Problem {
  const { message } = error as Error;
  return new Problem('not-kept', {
    path: 'data',
    expected:
      error instanceof ForeignChange
        ? `${file} as this mock has written it`
        : `room for the change in ${file}`,
    got: message,
    advice: outcome,
  });
}
