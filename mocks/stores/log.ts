import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from '../../curl.ts';
import { optionError } from '../../option-error.ts';
import { Problem } from '../messages/problem.ts';
import { createLineSplitter, longestLine } from '../state/lines.ts';
import { changeTexts, createChangeReader, type KeptChanges, seal } from './change-lines.ts';

/** A log of changes in a file. */
export interface Log {
  readonly path: string;
  /** Its bytes, as this process has written them; 0 before there is a file. */
  size: number;
  /** Which file it is: another one may have been put in its place. */
  identity?: string;
  /** Whether the file may end in a part of a write that failed and could not be removed. */
  isTorn?: boolean;
}

/** What a log said when it was opened. */
export interface OpenedLog {
  readonly log: Log;
  readonly kept: KeptChanges;
  /** How many lines say it. */
  readonly lines: number;
  /** Says what was removed at the end, if anything. */
  readonly notice?: string;
}

const version = 2;

/** The first line of a file. */
const header: string = seal({ kind: 'livestream-mock worlds', version });

const forAppending: number = constants.O_RDWR | constants.O_APPEND;

/**
 * Appends texts to a log that is as this process has written it, and waits until they are on the disk.
 * Where there is no file, one of all worlds is made.
 * @throws Problem 507 where something else has written the file, or Error of Node; then the texts do not count.
 */
export async function writeLog(
  log: Log,
  texts: readonly string[],
  readWorlds: () => KeptChanges,
): Promise<void> {
  const { path, size } = log;
  const file = size === 0 ? undefined : await open(path, forAppending).catch(passOverNothing);
  if (file === undefined) return renewLog(log, readWorlds());
  try {
    const there = await file.stat({ bigint: true });
    const isOwn = identityOf(there) === log.identity && there.size >= size;
    if (log.isTorn && isOwn) await file.truncate(size);
    else refuseForeign(log, there);
    log.isTorn = false;
    await appendTexts(file, texts).catch(async (error) => {
      // At once, as something else may append later. If this fails too, the next write does it.
      log.isTorn = await file.truncate(size).then(
        () => false,
        () => true,
      );
      throw error;
    });
    for (const text of texts) log.size += Buffer.byteLength(text);
    // What was written to a file that has lost its name would be gone.
    refuseForeign(log, await stat(path, { bigint: true }));
  } finally {
    await file.close();
  }
}

async function appendTexts(file: FileHandle, texts: readonly string[]): Promise<void> {
  for (const text of texts) await file.appendFile(text);
  await file.sync();
}

/**
 * Replaces a log with one of all worlds. At any time the file is one of the two, complete, even after a
 * crash of the process or the machine.
 * @throws as {@link writeLog} does
 */
export async function renewLog(log: Log, worlds: KeptChanges): Promise<void> {
  const draft = draftOf(log.path);
  const file = await open(draft, 'w', 0o600);
  try {
    await file.appendFile(header);
    for (const [world, changes] of worlds) {
      for (const text of changes.flatMap((change) => changeTexts(change, world))) {
        await file.appendFile(text);
      }
    }
    await file.sync();
    const made = await file.stat({ bigint: true });
    const there = await stat(log.path, { bigint: true }).catch(passOverNothing);
    if (there !== undefined) refuseForeign(log, there);
    await rename(draft, log.path);
    Object.assign(log, { size: Number(made.size), identity: identityOf(made), isTorn: false });
    await syncFolder(dirname(log.path));
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

function draftOf(path: string): string {
  return `${path}.livestream-mock.tmp`;
}

/** A lock does not keep out other machines, containers and programs. */
function refuseForeign({ path, size, identity }: Log, there: BigIntStats): void {
  if (Number(there.size) === size && identityOf(there) === identity) return;
  throw new Problem('not-kept', {
    path: 'data',
    expected: `${path} as this mock has written it`,
    got: `a file of ${there.size} bytes that something else has written`,
    advice:
      'the change is made here and not kept; move that file away, and the next change writes everything anew',
  });
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Takes the error of a file that does not exist for none. */
export function passOverNothing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** A crash may undo a rename until the folder is on the disk as well. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/**
 * Opens the log at a path, and removes an incomplete change at its end.
 * @throws RangeError when it is damaged or no log of this version; Error of Node.
 */
export async function openLog(path: string): Promise<OpenedLog> {
  // A process that was killed may have left one.
  await rm(draftOf(path), { force: true });
  const file = await open(path, forAppending).catch(passOverNothing);
  if (file === undefined) return { log: { path, size: 0 }, kept: new Map(), lines: 0 };
  try {
    const { buffer } = await file.read(Buffer.alloc(header.length), { position: 0 });
    if (buffer.toString() === header) return await readLog(path, file);
    const expected = `a file of worlds of version ${version}`;
    const got = buffer.toString().startsWith('{"kind":"state"')
      ? 'an exported state; start from it with --world, or import it into a running mock'
      : 'another; give another file, or move this one away to start afresh';
    throw optionError(RangeError, 'data', `${path}: expected ${expected}, got ${got}`);
  } finally {
    await file.close();
  }
}

async function readLog(path: string, file: FileHandle): Promise<OpenedLog> {
  const { kept, add } = createChangeReader();
  const splitter = createLineSplitter();
  let lines = 1;
  let end = header.length;
  let size = end;
  const take = (line: Uint8Array): void => {
    lines += 1;
    end += line.length + 1;
    const kind = line.length > longestLine ? undefined : add(decoder.decode(line));
    if (kind === undefined) throw damaged(path, lines, kept);
    if (kind === 'change') size = end;
  };
  const options = { start: end, autoClose: false, highWaterMark: 1_000_000 };
  for await (const chunk of file.createReadStream(options)) splitter.add(chunk).forEach(take);
  const rest = splitter.rest();
  if (rest.length > 0 && add(decoder.decode(rest)) === 'change') {
    // Editors remove the last line break.
    await file.appendFile('\n');
    await file.sync();
    lines += 1;
    size = end + rest.length + 1;
    end = size;
  } else {
    end += rest.length;
  }
  // The first change was on the disk before the file got its name.
  if (end > size && kept.size === 0) throw damaged(path, lines + 1, kept);
  const identity = identityOf(await file.stat({ bigint: true }));
  const log: Log = { path, size, identity };
  if (size === end) return { log, kept, lines };
  await file.truncate(size);
  await file.sync();
  const notice = `data: ${path} ended in a change that was not written to its end; its ${end - size} bytes were removed`;
  return { log, kept, lines, notice };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function damaged(path: string, number: number, before: KeptChanges): RangeError {
  const advice =
    before.size === 0
      ? 'nothing is left before it; give another file, or move this one away to start afresh'
      : `"head -n ${number - 1} ${quote(path)} > NEW" keeps the changes before it in a new file, for --data NEW`;
  return optionError(RangeError, 'data', `${path}: line ${number} is damaged; ${advice}`);
}
