import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { batchLines, header, type NamedChange } from './log.ts';

/** An open log. */
export interface LogFile {
  readonly handle: FileHandle;
  /** Bytes so far. */
  size: number;
  /** How many of them are the whole state with which the log begins. */
  wholeSize: number;
}

/** Opens a file for reading and appending; `undefined` when there is none. */
export async function openForMore(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Appends a batch to the log at `path`, and waits until it is on the disk.
 * @throws Error of Node, or when another file is at `path`; then it is open whether the batch is kept.
 */
export async function extendLog(
  path: string,
  log: LogFile,
  batch: readonly NamedChange[],
): Promise<void> {
  for (const line of batchLines(batch)) await write(log, line);
  await log.handle.sync();
  const [ours, there] = await Promise.all([
    log.handle.stat({ bigint: true }),
    stat(path, { bigint: true }),
  ]);
  if (ours.ino !== there.ino || ours.dev !== there.dev) throw new Error('another file there');
}

/** Bytes that one step of {@link renewLog} writes to the disk. */
const stepSize = 200_000;

/**
 * Replaces a log with a new one, step by step: first the whole state, then the changes that the old log
 * got meanwhile. At any time the file is one of the two, complete, even after a crash of the process or
 * the machine. A generator that is stopped early leaves nothing behind.
 */
export async function* renewLog(
  path: string,
  state: Iterable<NamedChange>,
  missed: readonly NamedChange[],
  old?: LogFile,
): AsyncGenerator<undefined, LogFile | undefined> {
  await removeDraft(path);
  const handle = await open(draftOf(path), 'ax', 0o600);
  const log: LogFile = { handle, size: 0, wholeSize: 0 };
  let done = false;
  try {
    await write(log, header);
    let synced = 0;
    for (const line of batchLines(state)) {
      await write(log, line);
      if (log.size - synced < stepSize) continue;
      await handle.sync();
      synced = log.size;
      yield;
    }
    log.wholeSize = log.size;
    if (missed.length > 0) for (const line of batchLines(missed)) await write(log, line);
    await handle.sync();
    // Windows does not rename a file to the name of one that is open.
    await old?.handle.close();
    await rename(draftOf(path), path);
    await syncFolder(dirname(path));
    done = true;
    return log;
  } finally {
    if (!done) {
      await handle.close();
      await removeDraft(path);
    }
  }
}

/** Removes an unfinished log that a killed process may have left. */
export function removeDraft(path: string): Promise<void> {
  return rm(draftOf(path), { force: true });
}

function draftOf(path: string): string {
  return `${path}.livestream-mock.tmp`;
}

async function write(log: LogFile, line: string): Promise<void> {
  await log.handle.appendFile(line);
  log.size += Buffer.byteLength(line);
}

/** A crash may undo a rename until the folder is on the disk as well. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
