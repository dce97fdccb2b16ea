import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from '../../curl.ts';
import { optionError } from '../../option-error.ts';
import { createLineSplitter, longestLine } from '../state/lines.ts';
import {
  changeTexts,
  createChangeReader,
  isOldLine,
  type KeptChanges,
  linesVersion,
  seal,
  unseal,
} from './change-lines.ts';

/** What a log says. */
interface LogContents {
  readonly kept: KeptChanges;
  /** How many lines say it. */
  readonly lines: number;
  /** In bytes. */
  readonly size: number;
  /** Says what was removed at the end, if anything. */
  readonly notice?: string;
}

/** A log of changes in a file. */
export interface Log {
  /** What it said when it was opened. */
  readonly contents: LogContents;
  /** Whether lines can be appended: there is a file, and it is as this process has written it. */
  canContinue(): boolean;
  /**
   * Appends lines, and waits until they are on the disk.
   * @throws ForeignChange, or Error of Node; then the lines do not count.
   */
  append(lines: string): Promise<void>;
  /**
   * Replaces the log with one of all worlds. At any time the file is one of the two, complete, even after
   * a crash of the process or the machine. @throws as {@link Log.append} does
   */
  renew(worlds: KeptChanges): Promise<void>;
  close(): Promise<void>;
}

/** Something else than this process has changed the file; its message says how. */
export class ForeignChange extends Error {}

/** The first line of a file. */
const header: string = `${seal({ kind: 'livestream-mock worlds', version: linesVersion })}\n`;

const nothing: LogContents = { kept: new Map(), lines: 0, size: 0 };

/**
 * Reads the log at a path line by line, and removes an incomplete change at its end.
 * @throws RangeError when it is damaged or no log of this version; Error of Node.
 */
export async function openLog(path: string): Promise<Log> {
  const draft = `${path}.livestream-mock.tmp`;
  // A process that was killed may have left one.
  await rm(draft, { force: true });
  let handle = await open(path, constants.O_RDWR | constants.O_APPEND).catch(passOverNothing);
  const contents =
    handle === undefined ? nothing : await readLog(path, handle).catch(closeAfter(handle));
  let identity = handle && identityOf(await handle.stat({ bigint: true }));
  let { size } = contents;
  /** Whether a write has failed, which may have left half of it. */
  let isTorn = false;
  let isForeign = false;

  const refuseForeign = (there: BigIntStats | undefined): void => {
    if (there === undefined) return;
    if (identity === undefined) throw new ForeignChange('a file where there was none');
    if (identity !== identityOf(there)) throw new ForeignChange('another file');
    if (there.size === BigInt(size)) return;
    throw new ForeignChange(`a file of ${there.size} bytes instead of ${size}`);
  };
  return {
    contents,
    canContinue: () => handle !== undefined && !isForeign,
    async append(lines) {
      if (isTorn) await handle?.truncate(size);
      isTorn = false;
      try {
        refuseForeign(await stat(path, { bigint: true }));
        isTorn = true;
        await handle?.appendFile(lines);
        await handle?.sync();
        isTorn = false;
        size += Buffer.byteLength(lines);
        // A program that has replaced the file meanwhile would take the lines away with the old one.
        refuseForeign(await stat(path, { bigint: true }));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        isForeign = error instanceof ForeignChange || code === 'ENOENT';
        throw error;
      }
    },
    async renew(worlds) {
      refuseForeign(await stat(path, { bigint: true }).catch(passOverNothing));
      await rm(draft, { force: true });
      const next = await open(draft, 'ax', 0o600);
      try {
        await next.appendFile(header);
        for (const [world, changes] of worlds) {
          for (const text of changeTexts(changes, world)) await next.appendFile(text);
        }
        await next.sync();
        refuseForeign(await stat(path, { bigint: true }).catch(passOverNothing));
        // Windows does not rename a file to the name of one that is open.
        await handle?.close();
        handle = undefined;
        await rename(draft, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(draft, { force: true });
        return closeAfter(next)(error);
      }
      const found = await next.stat({ bigint: true });
      identity = identityOf(found);
      size = Number(found.size);
      handle = next;
      isForeign = false;
      isTorn = false;
    },
    close: async () => handle?.close(),
  };
}

function closeAfter(handle: FileHandle): (error: unknown) => Promise<never> {
  return async (error) => {
    await handle.close();
    throw error;
  };
}

/** With 64 bits, as Windows uses them all. */
function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}-${ino}`;
}

function passOverNothing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
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

async function readLog(path: string, handle: FileHandle): Promise<LogContents> {
  await refuseOther(path, handle);
  const reader = createChangeReader();
  const splitter = createLineSplitter();
  const { kept } = reader;
  let lines = 1;
  let end = header.length;
  let size = end;
  const take = (line: Uint8Array): void => {
    lines += 1;
    const kind = line.length > longestLine ? undefined : reader.add(line);
    if (kind === undefined) throw damaged(path, lines, kept);
    end += line.length + 1;
    if (kind === 'change') size = end;
  };
  const options = { start: end, autoClose: false, highWaterMark: 1_000_000 };
  for await (const chunk of handle.createReadStream(options)) splitter.add(chunk).forEach(take);
  const rest = splitter.rest();
  if (unseal(rest) !== undefined) {
    take(rest);
    await handle.appendFile('\n');
  } else if (rest.length > 0 && (kept.size === 0 || unseal(rest.subarray(0, -1)) !== undefined)) {
    // The first change was on the disk before the file got its name, and a whole line is not torn.
    throw damaged(path, lines + 1, kept);
  } else end += rest.length;
  if (size === end) return { kept, lines, size };
  await handle.truncate(size);
  await handle.sync();
  const notice = `data: ${path} ended in a change that was not written to its end; its ${end - size} bytes were removed`;
  return { kept, lines, size, notice };
}

async function refuseOther(path: string, handle: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), { position: 0 });
  const start = buffer.toString('utf8', 0, bytesRead);
  if (start === header) return;
  throw optionError(
    RangeError,
    'data',
    `${path}: expected a file of worlds of version ${linesVersion}, got ${describeStart(start)}`,
  );
}

function describeStart(start: string): string {
  if (/^\s*\{\s*"kind"\s*:\s*"state"/.test(start)) {
    return 'an exported state; start from it with --world, or import it into a running mock';
  }
  if (/^\s*\{\s*"version"\s*:\s*1\s*,\s*"now"/.test(start)) {
    return 'an exported state of version 1; give another file';
  }
  const afresh = 'move this one away to start afresh';
  if (!isOldLine(start)) return `another; give another file, or ${afresh}`;
  return `one of version 1; open it with the mock that wrote it, or ${afresh}`;
}

function damaged(path: string, number: number, before: KeptChanges): RangeError {
  const advice =
    before.size === 0
      ? 'nothing is left before it; give another file, or move this one away to start afresh'
      : `"head -n ${number - 1} ${quote(path)} > NEW" keeps the changes before it in a new file, for --data NEW`;
  return optionError(RangeError, 'data', `${path}: line ${number} is damaged; ${advice}`);
}
