import type { Change } from '../state/change.ts';
import type { NamedChange } from './log.ts';
import { extendLog, type LogFile, renewLog } from './log-file.ts';

/** For each world a function that returns its changes; it is called when they are written. */
export type Worlds = ReadonlyMap<string, () => readonly Change[]>;

/**
 * Why a log is written anew: to make it shorter, or to keep a change of very many records. If that fails,
 * the change is kept with the next batch, and a log that is too long stays in use.
 */
export type RenewalPurpose = 'compaction' | 'change';

/** Writes to a log. A call must wait until the one before has settled. */
export interface LogWriter {
  /** Keeps a batch. @throws Error of Node; then it is kept with the next batch. */
  write(batch: readonly NamedChange[]): Promise<void>;
  /** Whether the log is long enough to be compacted. */
  isLong(): boolean;
  /**
   * Does one step of writing a new log of all worlds, which replaces the old one at the end. Returns
   * whether there are more steps. @throws Error of Node
   */
  renew(purpose: RenewalPurpose, isFirst: boolean): Promise<boolean>;
  /** Tries once more to keep what was not kept, and closes the log. @throws Error of Node */
  close(): Promise<void>;
}

/** Bytes below which a log is not worth compacting. */
const smallSize = 1_000_000;

/** Continues the log at `path`. If there is none, and after an error, it begins a new one. */
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
  const write: LogWriter['write'] = async (batch) => {
    complete = false;
    if (renewal !== undefined) for (const one of batch) missed.push(one);
    if (canContinue(log)) await extendLog(path, log, batch);
    while (!canContinue(log)) await step();
    complete = true;
  };
  return {
    write,
    isLong: () => canContinue(log) && log.size >= Math.max(smallSize, 2 * log.wholeSize),
    async renew(purpose, isFirst) {
      if (renewal === undefined && !isFirst) return false;
      try {
        await step();
        return renewal !== undefined;
      } catch (error) {
        // The next attempt comes when the log has doubled again.
        if (log !== undefined) log.wholeSize = log.size;
        if (purpose === 'change') complete = false;
        if (purpose === 'change' && log !== undefined) log.incomplete = true;
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

function canContinue(log: LogFile | undefined): log is LogFile {
  return log !== undefined && !log.incomplete;
}

/** Reads all worlds at once, so that no later change is older than a part of the new log. */
function readWorlds(worlds: Worlds): readonly NamedChange[] {
  return [...worlds].flatMap(([name, read]) => read().map((change) => [name, change] as const));
}
