import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { batchLines, header, type NamedChange } from './log.ts';

/** A log that is open for more. */
export interface LogFile {
  readonly handle: FileHandle;
  /** Bytes that are written. */
  size: number;
  /** Bytes of them that the whole state took, with which a log begins. */
  wholeSize: number;
}

/** Opens a file, if there is one, for reading and for writing at its end. */
export async function openForMore(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Adds a batch to the log at `path`, on the disk.
 * @throws Error as Node does, or when another file is there: then the batch may be kept or not.
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

/** Bytes that are written and synchronized in one step of {@link renewLog}. */
const stepSize = 200_000;

/**
 * Puts a new log in the place of an old one, step by step: first the whole state, then all that the
 * old one got in between. Whoever reads the file, even after the process or the machine broke down,
 * finds one of them, whole. Where it is given up nothing is left of it.
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

/** Removes what a killed process may have left of a new log. */
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
