import type { Change } from '../state/change.ts';
import type { NamedChange } from './log.ts';
import { extendLog, type LogFile, renewLog } from './log-file.ts';

/** What gives the changes of each world, called when they are written. */
export type Worlds = ReadonlyMap<string, () => readonly Change[]>;

/**
 * Why a log is written anew: to make it shorter, or to keep a change of very many records. A change that
 * is not kept so is kept with the next batch; without a compaction the old log goes on.
 */
export type RenewalPurpose = 'compaction' | 'change';

/** Writes to a log. Each call waits for the one before. */
export interface LogWriter {
  /** Keeps a batch. @throws Error as Node does; what was not kept is kept with the next batch. */
  write(batch: readonly NamedChange[]): Promise<void>;
  /** Whether the log has grown so long that compacting it is worth it. */
  isLong(): boolean;
  /**
   * Does one step of writing a new log of all worlds, which takes the place of the old one in the end.
   * Returns whether there are more steps. @throws Error as Node does
   */
  renew(purpose: RenewalPurpose, isFirst: boolean): Promise<boolean>;
  /** Tries once more to keep what was not kept, and closes the log. @throws Error as Node does */
  close(): Promise<void>;
}

/** Bytes below which a log is not worth compacting. */
const smallSize = 1_000_000;

/** Goes on with the log at `path`. Where there is none, and after a failure, it begins a new one. */
export function createLogWriter(
  path: string,
  worlds: Worlds,
  opened: LogFile | undefined,
): LogWriter {
  let log = opened;
  let complete = true;
  let renewal: ReturnType<typeof renewLog> | undefined;
  let missed: NamedChange[] = [];

  const step = async (): Promise<void> => {
    if (renewal === undefined) missed = [];
    const current = renewal ?? renewLog(path, readWorlds(worlds), missed, log);
    renewal = undefined;
    const { done, value } = await current.next();
    if (done) log = value;
    else renewal = current;
  };
  const extend = async (old: LogFile, batch: readonly NamedChange[]): Promise<void> => {
    try {
      await extendLog(path, old, batch);
    } catch (error) {
      log = undefined;
      await old.handle.close();
      throw error;
    }
  };
  const write: LogWriter['write'] = async (batch) => {
    complete = false;
    if (renewal !== undefined) for (const one of batch) missed.push(one);
    if (log !== undefined) await extend(log, batch);
    while (log === undefined) await step();
    complete = true;
  };
  return {
    write,
    isLong: () => log !== undefined && log.size >= Math.max(smallSize, 2 * log.wholeSize),
    async renew(purpose, isFirst) {
      if (renewal === undefined && !isFirst) return false;
      try {
        await step();
        return renewal !== undefined;
      } catch (error) {
        // A log that goes on has to grow by as much again before the next attempt.
        if (log !== undefined) log.wholeSize = log.size;
        if (purpose === 'change') {
          complete = false;
          await log?.handle.close();
        }
        if (log !== undefined && log.handle.fd < 0) log = undefined;
        throw error;
      }
    },
    async close() {
      await renewal?.return(undefined);
      renewal = undefined;
      try {
        if (!complete) await write([]);
      } finally {
        await log?.handle.close();
      }
    },
  };
}

/** Reads all worlds in one go: what a new log gets after it must not be older than a part of it. */
function readWorlds(worlds: Worlds): readonly NamedChange[] {
  return [...worlds].flatMap(([name, read]) => read().map((change) => [name, change] as const));
}
