import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { batchLines, header, type WorldChanges } from './log.ts';

/** A file of changes that is open for more. */
export interface LogFile {
  readonly handle: FileHandle;
  /** Bytes that are written. */
  size: number;
  /** How many of them the whole state took, with which the file begins. */
  begun: number;
}

/** Opens a file, if there is one, for reading and for writing at its end. */
export async function openLogFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a batch to the disk. @throws Error as Node does: then it may be kept or not. */
export async function appendBatch(log: LogFile, batch: readonly WorldChanges[]): Promise<void> {
  if (batch.length === 0) return;
  for (const line of batchLines(batch)) await write(log, line);
  await log.handle.sync();
}

/** @throws Error when the file at `path` is gone or another one. */
export async function refuseReplaced(path: string, { handle }: LogFile): Promise<void> {
  const [ours, there] = await Promise.all([
    handle.stat({ bigint: true }),
    stat(path, { bigint: true }),
  ]);
  if (ours.ino !== there.ino || ours.dev !== there.dev) throw new Error('another file there');
}

/** Writes the whole state to a new file beside `path`, in slices, as far as nobody calls it off. */
export async function draftLogFile(
  path: string,
  state: Iterable<WorldChanges>,
  signal: AbortSignal,
): Promise<LogFile> {
  await removeDraft(path);
  const handle = await open(draftOf(path), 'ax', 0o600);
  const log = { handle, size: 0, begun: 0 };
  try {
    await write(log, header);
    let synced = 0;
    for (const line of batchLines(state)) {
      signal.throwIfAborted();
      await write(log, line);
      // One large synchronization would hold up those of the changes that come meanwhile.
      if (log.size - synced > mostUnsynced) {
        await handle.sync();
        synced = log.size;
      }
    }
    await handle.sync();
    log.begun = log.size;
    return log;
  } catch (error) {
    await discardDraft(path, log);
    throw error;
  }
}

/** Bytes of a draft that are not yet on the disk. */
const mostUnsynced = 1_000_000;

/**
 * Puts a draft, all of which is on the disk, in the place of the file. Whoever reads the file, even
 * after the process or the machine broke down in between, finds the old one or the new one, whole.
 */
export async function settleDraft(path: string): Promise<void> {
  await rename(draftOf(path), path);
  await syncFolder(dirname(path));
}

/** Gives a draft up. */
export async function discardDraft(path: string, { handle }: LogFile): Promise<void> {
  await handle.close();
  await removeDraft(path);
}

/** Removes the draft that a killed process may have left. */
export function removeDraft(path: string): Promise<void> {
  return rm(draftOf(path), { force: true });
}

function draftOf(path: string): string {
  return `${path}.tmp`;
}

async function write(log: LogFile, line: string): Promise<void> {
  await log.handle.appendFile(line);
  log.size += Buffer.byteLength(line);
}

/** Until its folder is on the disk as well, a new name may be forgotten. Windows knows no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
