import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { batchLines, header, type NamedChange } from './log.ts';

/** A log. Its handle may be closed if it is incomplete. */
export interface LogFile {
  readonly handle: FileHandle;
  /** Tells this file from any other at its path. */
  readonly identity: string;
  /** Bytes so far. */
  size: number;
  /** How many of them are the whole state with which the log begins. */
  wholeSize: number;
  /** Whether it may lack the last batch, so that it cannot be continued. */
  incomplete: boolean;
}

/** Something else than this process has changed the file; its message says how. */
export class ForeignChange extends Error {}

/** With 64 bits, as Windows uses them all. */
function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}-${ino}`;
}

/** A log of so many bytes; the caller says how many of them count. */
export async function asLog(handle: FileHandle, size: number, wholeSize: number): Promise<LogFile> {
  const identity = identityOf(await handle.stat({ bigint: true }));
  return { handle, identity, size, wholeSize, incomplete: false };
}

/** Opens a file for reading and appending; `undefined` when there is none. */
export function openForMore(path: string): Promise<FileHandle | undefined> {
  return open(path, constants.O_RDWR | constants.O_APPEND).catch(passOverNothing);
}

function passOverNothing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/**
 * Appends a batch to the log at `path`, and waits until it is on the disk.
 * @throws ForeignChange, or Error of Node; then the log is incomplete.
 */
export async function extendLog(
  path: string,
  log: LogFile,
  batch: readonly NamedChange[],
): Promise<void> {
  log.incomplete = true;
  refuseForeign(log, await stat(path, { bigint: true }));
  try {
    for (const line of batchLines(batch)) await write(log, line);
    await log.handle.sync();
  } catch (error) {
    log.size = (await log.handle.stat()).size;
    throw error;
  }
  // A program that has replaced the file meanwhile would take the batch away with the old one.
  refuseForeign(log, await stat(path, { bigint: true }));
  log.incomplete = false;
}

/** @throws ForeignChange when what is at the path is not the log as this process has written it. */
function refuseForeign(log: LogFile | undefined, there: BigIntStats): void {
  if (log === undefined) throw new ForeignChange('a file where there was none');
  if (log.identity !== identityOf(there)) throw new ForeignChange('another file');
  if (there.size === BigInt(log.size)) return;
  throw new ForeignChange(`a file of ${there.size} bytes instead of ${log.size}`);
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
  await refuseReplacing(path, old);
  await removeDraft(path);
  const handle = await open(draftOf(path), 'ax', 0o600);
  let done = false;
  try {
    const log = await asLog(handle, 0, 0);
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
    await refuseReplacing(path, old);
    if (old !== undefined) {
      // Windows does not rename a file to the name of one that is open.
      old.incomplete = true;
      await old.handle.close();
    }
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

/** @throws ForeignChange when something is at the path that this process has not written. */
async function refuseReplacing(path: string, log: LogFile | undefined): Promise<void> {
  const there = await stat(path, { bigint: true }).catch(passOverNothing);
  if (there !== undefined) refuseForeign(log, there);
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
