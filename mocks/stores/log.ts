import { open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from '../../text/curl.ts';
import { optionError } from '../../text/option-error.ts';
import { linesOf } from '../../text/text-bytes.ts';
import type { Change } from '../state/change.ts';
import { combine } from '../state/state.ts';
import {
  changeLines,
  checksumOf,
  createLineReader,
  type LineFault,
  type LineReader,
  type NamedChange,
  seal,
} from './change-line.ts';
import type { FileLock } from './file-lock.ts';
import { closeLasting, openLasting } from './lasting-file.ts';

const formatVersion = 4;

/** The first line of a file. */
const header: string = headerOf(formatVersion);

/** The first line of a file whose changes may lack the checksum of the one before. */
const headerOfVersion3: string = headerOf(3);

function headerOf(version: number): string {
  return seal({ kind: 'livestream-mock worlds', version });
}

/** Fewer bytes of superfluous changes than this are not worth a compaction. */
const fewBytes = 100_000;

/** What takes the place of a change where a world has ended. */
const ending = { at: 0, ended: true } as const;

/** What a log keeps of a world. */
interface KeptWorld {
  /** Its changes since its last replacement, which is the first of them. */
  readonly changes: Change[];
  /** The bytes of that replacement. */
  readonly bytes: number;
}

/**
 * Opens the log of changes in a locked file. Removes an incomplete change at its end, and compacts the file if less
 * than half of it is needed.
 * @throws RangeError if it is damaged or is not a log of this version; Error of Node.
 */
export async function openLog(path: string, lock: FileLock) {
  const bytes = await readFile(path);
  // A process that was killed may have left part of the header, and nothing else.
  const isPartOfHeader = bytes.length < header.length && header.startsWith(bytes.toString());
  const log = readLog(path, isPartOfHeader ? new Uint8Array() : bytes);
  const { worlds, end, isTorn: endsTorn } = log;
  let { last } = log;
  if (end < bytes.length) await truncate(path, end);
  const lacksBreak = end === bytes.length && end > 0 && bytes[end - 1] !== 10;
  let neededBytes = fewBytes;
  for (const world of worlds.values()) neededBytes += world.bytes;
  if (end > 2 * neededBytes) {
    // If that fails, the file is as it was.
    last = await compact(path, worlds, lock).catch(() => last);
  }
  const file = await openLasting(path, 'a');
  let { size } = await file.stat();
  /** Whether the file may end in part of a write that failed. */
  let isTorn = false;

  /**
   * The lock does not keep out other machines, containers and programs.
   * @throws Error if one of them has written or removed the file.
   */
  const refuseTouched = async (): Promise<void> => {
    const { size: sizeOnDisk, nlink } = await file.stat();
    const isUntouched = sizeOnDisk === size || (isTorn && sizeOnDisk > size);
    if (nlink > 0 && isUntouched) return;
    throw new Error(`${path} was written or removed by something else; start this mock again`);
  };
  const write = async (text: string): Promise<void> => {
    await refuseTouched();
    if (isTorn) await file.truncate(size);
    isTorn = true;
    await file.appendFile(text);
    await file.datasync();
    isTorn = false;
    size += Buffer.byteLength(text);
  };
  try {
    if (size === 0) await write(header);
    // An editor may have removed the last line break; the change before it was acknowledged.
    else if (lacksBreak && size === end) await write('\n');
  } catch (exception) {
    await closeLasting(file);
    throw exception;
  }
  return {
    worlds,
    /** Says what was removed at the end of the file, if anything. */
    notice: endsTorn
      ? `data: ${path} ended in a change that was only partly written; its ${bytes.length - end} bytes were removed`
      : undefined,
    /**
     * Appends changes of a world, and waits until they are on the disk. The next call must come after that.
     * @throws Error if that fails, or if something else has written the file. Then the changes do not count.
     */
    async append(world: string, changes: readonly Change[]): Promise<void> {
      const written = changeLines(world, changes, last);
      await write(written.lines.join(''));
      last = written.last;
    },
    /** Forgets a world. The next call must come after that. @throws Error as `append` does */
    async forget(world: string): Promise<void> {
      const written = changeLines(world, [ending], last);
      await write(written.lines.join(''));
      last = written.last;
    },
    /** Reads the changes of a world from the file again. @throws RangeError if the file is damaged */
    async read(world: string): Promise<readonly Change[]> {
      return readLog(path, await readFile(path)).worlds.get(world)?.changes ?? [];
    },
    refuseTouched,
    close: () => closeLasting(file),
  };
}

/** The worlds in a log, where its last whole line ends, the checksum of that line, and whether part of one follows. */
function readLog(path: string, bytes: Uint8Array) {
  const worlds = new Map<string, KeptWorld>();
  let reader = createLineReader(checksumOf(header), true);
  let number = 0;
  let end = 0;
  for (const line of linesOf(bytes)) {
    const lineBreak = bytes.indexOf(10, line.byteOffset - bytes.byteOffset + line.length);
    const text = lineDecoder.decode(line);
    number += 1;
    if (number === 1) {
      reader = readHeader(path, text);
    } else {
      const read = reader.read(text);
      // A line without its end was never acknowledged.
      if (read === 'damaged' && lineBreak < 0) {
        return { worlds, end, last: reader.last(), isTorn: true };
      }
      if (typeof read === 'string') throw faultyLine(path, number, read);
      if (!addTo(worlds, read, line.length)) throw faultyLine(path, number, 'without-base');
    }
    end = lineBreak < 0 ? bytes.length : lineBreak + 1;
  }
  return { worlds, end, last: reader.last(), isTorn: false };
}

/**
 * Makes the reader of the lines after a first line.
 * @throws RangeError if it is not that of a log.
 */
function readHeader(path: string, firstLine: string): LineReader {
  const line = `${firstLine}\n`;
  if (line !== header && line !== headerOfVersion3) throw otherFile(path, firstLine);
  return createLineReader(checksumOf(line), line === header);
}

const lineDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Adds a change to its world. Returns whether that is possible: a world begins with a replacement. */
function addTo(
  worlds: Map<string, KeptWorld>,
  { world, change }: NamedChange,
  bytes: number,
): boolean {
  if ('ended' in change) {
    worlds.delete(world);
    return true;
  }
  if ('state' in change) {
    worlds.set(world, { changes: [change], bytes });
    return true;
  }
  return worlds.get(world)?.changes.push(change) !== undefined;
}

/**
 * Replaces a log with one of whole worlds, and returns the checksum of its last line. At any time, the file is
 * completely one or the other.
 * @throws Error if that is not possible. Then the file is as it was.
 */
async function compact(
  path: string,
  worlds: ReadonlyMap<string, KeptWorld>,
  lock: FileLock,
): Promise<string> {
  const { mode, uid, gid, nlink } = await stat(path);
  // The other names would keep the old file.
  if (nlink > 1) throw new Error(`${path} has several names`);
  const draft = `${path}.livestream-mock.tmp`;
  let last = checksumOf(header);
  const wholeLines = function* (): Generator<string, void> {
    yield header;
    for (const [world, { changes }] of worlds) {
      const written = changeLines(world, [combine(changes)], last);
      last = written.last;
      yield* written.lines;
    }
  };
  try {
    // What is there may be a link.
    await rm(draft, { force: true });
    await writeFile(draft, wholeLines(), { mode: 0o600 });
    const file = await open(draft, 'r+');
    try {
      const own = await file.stat();
      if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid);
      await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    await lock.replaceBy(draft, () => rename(draft, path));
  } finally {
    await rm(draft, { force: true });
  }
  // Without this, a power cut could undo the renaming. Some systems cannot do it.
  const folder = await open(dirname(path)).catch(() => undefined);
  await folder
    ?.sync()
    .catch(() => {})
    .finally(() => folder.close());
  return last;
}

/** What is wrong with a file whose first line is not that of a log. */
function otherFile(path: string, firstLine: string): RangeError {
  const expected = `a file of worlds of version ${formatVersion}`;
  return optionError(
    RangeError,
    'data',
    `${path}: expected ${expected}, got ${describeFile(firstLine)}`,
  );
}

function describeFile(firstLine: string): string {
  if (firstLine.startsWith('{"kind":"state"')) {
    return 'an exported state; start from it with --world, or import it into a running mock';
  }
  if (firstLine.startsWith('{"after":') || firstLine.startsWith('{"world":')) {
    return 'one whose first line is missing; restore the file, or move it away to start afresh';
  }
  const version = Number(/"version":(\d{1,9}),/.exec(firstLine)?.[1]);
  if (`${firstLine}\n` === headerOf(version)) {
    return `one of version ${version}; export its worlds with the livestream-mock that wrote it, or move it away to start afresh`;
  }
  return 'another; give another file, or move this one away to start afresh';
}

/** What a faulty line is like, by its fault. */
const lineFaults = {
  damaged: () => 'is damaged',
  displaced: (number: number) =>
    `does not follow line ${number - 1}: a line is missing, repeated or moved`,
  'without-base': () => 'changes a world that no line before it begins',
} as const satisfies Record<LineFault | 'without-base', (number: number) => string>;

function faultyLine(path: string, number: number, fault: keyof typeof lineFaults): RangeError {
  const wrong = `line ${number} ${lineFaults[fault](number)}`;
  const advice = `"head -n ${number - 1} ${quote(path)} > NEW" keeps the changes before it in a new file, for --data NEW`;
  return optionError(RangeError, 'data', `${path}: ${wrong}; ${advice}`);
}
