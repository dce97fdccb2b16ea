import { lstat, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Change } from '../state/change.ts';
import { lockFile } from './file-lock.ts';
import { type LogFile, openForMore, removeDraft } from './log-file.ts';
import { readLog } from './read-log.ts';

/** A file that this process has. */
export interface OpenedFile {
  readonly file: string;
  readonly kept: ReadonlyMap<string, readonly Change[]>;
  /** Absent where there is no file yet, or none that can go on as it is. */
  readonly log?: LogFile;
  readonly notice?: string;
  readonly release: () => void;
}

/** @throws RangeError, in one sentence, for a file that cannot be used, or that another mock has. */
export async function openFile(path: string): Promise<OpenedFile> {
  let file = resolve(path);
  let release = (): void => {};
  try {
    file = await findFile(file);
    release = await lockFile(file);
    await removeDraft(file);
    return { file, release, ...(await readFile(file)) };
  } catch (error) {
    release();
    if (error instanceof RangeError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unusable(file, faults[code] ?? message);
  }
}

/** Where the file is, behind links, or where it will be. */
async function findFile(path: string): Promise<string> {
  const there = await lstat(path).catch(() => undefined);
  if (there === undefined) return path;
  const kind = await stat(path).catch(() => undefined);
  if (kind === undefined) throw unusable(path, 'which is a link to nothing; name a file');
  if (kind.isDirectory()) throw unusable(path, 'which is a folder; name a file in it');
  // Opening a pipe would wait for whoever writes to it.
  if (!kind.isFile()) throw unusable(path, 'which is a pipe, a socket or a device; name a file');
  return realpath(path);
}

type Contents = Pick<OpenedFile, 'kept' | 'log' | 'notice'>;

async function readFile(file: string): Promise<Contents> {
  const handle = await openForMore(file);
  if (handle === undefined) return { kept: new Map() };
  try {
    const { worlds: kept, size, wholeSize, torn } = await readLog(file, handle);
    if (wholeSize === 0) {
      await handle.close();
      return { kept };
    }
    const log = { handle, size, wholeSize };
    if (torn === 0) return { kept, log };
    await handle.truncate(size);
    await handle.sync();
    const notice = `data: ${file} ended in a change that was not written to its end and not answered; its ${torn} bytes are cut off`;
    return { kept, log, notice };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function unusable(file: string, fault: string): RangeError {
  return new RangeError(
    `data: expected a file that can be read and written, got ${file}, ${fault}`,
  );
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'whose folder does not exist; make the folder first',
  ENOTDIR: 'which lies in a file instead of a folder',
  EACCES: 'where this user has no right to; give another file',
  EPERM: 'where this user has no right to; give another file',
  EROFS: 'where nothing can be written; give another file',
  ENAMETOOLONG: 'whose name is too long',
};
