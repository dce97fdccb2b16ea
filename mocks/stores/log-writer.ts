import type { Change } from '../state/change.ts';
import type { WorldChanges } from './log.ts';
import {
  appendBatch,
  discardDraft,
  draftLogFile,
  type LogFile,
  refuseReplaced,
  settleDraft,
} from './log-file.ts';

/** What gives the changes of each world, called when they are written. */
export type Worlds = ReadonlyMap<string, () => readonly Change[]>;

/** Writes one batch after the other; whoever calls waits for each. */
export interface LogWriter {
  /** @throws Error as Node does; what was not written is written with the next batch. */
  write(batch: readonly WorldChanges[]): Promise<void>;
  /** Tries once more to write what was not written, and closes the file. @throws Error as Node does */
  close(): Promise<void>;
}

/** A new file that is written beside the old one. */
interface Draft {
  readonly whole: Promise<LogFile>;
  readonly abort: AbortController;
  /** What the old file is given meanwhile. */
  readonly missed: (readonly WorldChanges[])[];
  written: boolean;
}

/** Below this many bytes a log is not worth compacting. */
const smallest = 1_000_000;

/**
 * Writes at the end of a log. Where there is none, and after a failure, it makes a new file, which begins
 * with the whole state. It also makes one when the log is twice what the state takes, while changes go
 * on to the old one; `drafted` is called when the next batch, perhaps an empty one, can settle that.
 */
export function createLogWriter(
  path: string,
  worlds: Worlds,
  opened: LogFile | undefined,
  drafted: () => void,
): LogWriter {
  let log = opened;
  let draft: Draft | undefined;
  let complete = true;

  function startDraft(): Draft {
    const abort = new AbortController();
    const whole = draftLogFile(path, readWorlds(worlds), abort.signal);
    return { whole, abort, missed: [], written: false };
  }

  async function compact(old: LogFile): Promise<void> {
    const started = startDraft();
    draft = started;
    try {
      await started.whole;
      started.written = true;
      drafted();
    } catch {
      if (draft === started) draft = undefined;
      // Not at every change: the old file has to grow by as much again.
      old.begun = old.size;
    }
  }

  async function renew(): Promise<LogFile> {
    draft ??= startDraft();
    const { whole, missed } = draft;
    try {
      const fresh = await whole;
      await settle(path, fresh, missed.flat());
      return fresh;
    } finally {
      draft = undefined;
    }
  }

  return {
    async write(batch) {
      draft?.missed.push(batch);
      const old = log;
      log = undefined;
      complete = false;
      if (old === undefined || draft?.written) {
        await old?.handle.close();
        log = await renew();
      } else log = await extend(path, old, batch);
      complete = true;
      if (draft === undefined && log.size > Math.max(smallest, 2 * log.begun)) void compact(log);
    },
    async close() {
      draft?.abort.abort();
      await draft?.whole.then((fresh) => discardDraft(path, fresh)).catch(() => {});
      draft = undefined;
      try {
        if (!complete) log = await renew();
      } finally {
        await log?.handle.close();
      }
    },
  };
}

function* readWorlds(worlds: Worlds): Generator<WorldChanges> {
  for (const [name, read] of worlds) yield [name, read()];
}

async function extend(
  path: string,
  log: LogFile,
  batch: readonly WorldChanges[],
): Promise<LogFile> {
  try {
    await appendBatch(log, batch);
    await refuseReplaced(path, log);
    return log;
  } catch (error) {
    await log.handle.close();
    throw error;
  }
}

async function settle(
  path: string,
  draft: LogFile,
  missed: readonly WorldChanges[],
): Promise<void> {
  try {
    await appendBatch(draft, missed);
    await settleDraft(path);
  } catch (error) {
    await discardDraft(path, draft);
    throw error;
  }
}
