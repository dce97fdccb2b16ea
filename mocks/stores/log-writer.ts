import type { Change } from '../state/change.ts';
import type { NamedChange } from './log.ts';
import { extendLog, type LogFile, renewLog } from './log-file.ts';

/** What gives the changes of each world, called when they are written. */
export type Worlds = ReadonlyMap<string, () => readonly Change[]>;

/** Writes to a log. Each call waits for the one before. */
export interface LogWriter {
  /** Keeps a batch. @throws Error as Node does; what was not kept is kept with the next batch. */
  write(batch: readonly NamedChange[]): Promise<void>;
  /** Makes a log that has grown small again, one step at a call; says whether there are more. */
  compact(): Promise<boolean>;
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
    async compact() {
      if (log === undefined) return false;
      const { size, wholeSize } = log;
      if (renewal === undefined && size < Math.max(smallSize, 2 * wholeSize)) return false;
      try {
        await step();
      } catch {
        // The log has to grow by as much again before the next attempt. Where it is closed already, the
        // next change begins a new one.
        if (log.handle.fd >= 0) log.wholeSize = size;
        else log = undefined;
      }
      return renewal !== undefined;
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
