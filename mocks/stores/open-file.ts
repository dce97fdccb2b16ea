import { type FileHandle, lstat, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { optionError } from '../../option-error.ts';
import { lockFile } from './file-lock.ts';
import { openForMore, removeDraft } from './log-file.ts';
import { type LogContents, readLog } from './read-log.ts';

/** A file that this process has locked. */
export interface OpenedFile extends LogContents {
  /** Its path, with links resolved. */
  readonly file: string;
  /** Unlocks it. */
  readonly release: () => void;
}

/** @throws RangeError, in one sentence, for a file that cannot be used or that another mock has open. */
export async function openFile(path: string): Promise<OpenedFile> {
  let file = resolve(path);
  let release = (): void => {};
  let handle: FileHandle | undefined;
  try {
    file = await findFile(file);
    release = await lockFile(file);
    await removeDraft(file);
    handle = await openForMore(file);
    const contents = handle === undefined ? { kept: new Map() } : await readLog(file, handle);
    return { file, release, ...contents };
  } catch (error) {
    await handle?.close();
    release();
    if (error instanceof RangeError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unusable(file, reasons[code] ?? message);
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
