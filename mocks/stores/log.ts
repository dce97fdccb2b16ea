import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from '../../curl.ts';
import { optionError } from '../../option-error.ts';
import { Problem } from '../messages/problem.ts';
import { countWhole } from '../state/change.ts';
import { createLineSplitter, longestLine } from '../state/lines.ts';
import { combine } from '../state/state.ts';
import { changeTexts, createChangeReader, type KeptChanges, seal, unseal } from './change-lines.ts';

const version = 2;

/** The first line of a file. */
const header: string = seal({ kind: 'livestream-mock worlds', version });

/** Lines below which a log is not worth compacting. */
const fewLines = 2_000;

const forAppending: number = constants.O_RDWR | constants.O_APPEND;

/**
 * Opens the log of changes in a file: removes an incomplete change at its end, and compacts it where it has
 * over twice the lines that its worlds need.
 * @throws RangeError when it is damaged or no log of this version; Error of Node.
 */
export async function openLog(path: string) {
  const draft = `${path}.livestream-mock.tmp`;
  // A process that was killed may have left one.
  await rm(draft, { force: true });
  const found = await readFile(path);
  let { kept } = found;
  /** The bytes of the file, as this process has written them; 0 before there is a file. */
  let { size } = found;
  /** Which file it is: another one may have been put in its place. */
  let { identity } = found;
  /** Whether the file may end in a part of a write that failed and could not be removed. */
  let isTorn = false;

  /** A lock does not keep out other machines, containers and programs. */
  const refuseForeign = (there: BigIntStats): void => {
    if (Number(there.size) === size && identityOf(there) === identity) return;
    throw new Problem('not-kept', {
      path: 'data',
      expected: `${path} as this mock has written it`,
      got: `a file of ${there.size} bytes that something else has written`,
      advice:
        'the change is made here and not kept; move that file away, and the next change writes everything anew',
    });
  };

  /**
   * Replaces the log with one of all worlds. At any time the file is one of the two, complete, even after a
   * crash of the process or the machine.
   */
  const renew = async (worlds: KeptChanges): Promise<void> => {
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
      const there = await stat(path, { bigint: true }).catch(ignoreMissingFile);
      if (there !== undefined) refuseForeign(there);
      await rename(draft, path);
      size = Number(made.size);
      identity = identityOf(made);
      isTorn = false;
      await syncFolder(dirname(path));
    } finally {
      await file.close();
      await rm(draft, { force: true });
    }
  };

  let needed = fewLines;
  for (const changes of kept.values()) needed += countWhole(changes);
  if (found.lines >= 2 * needed) {
    kept = new Map([...kept].map(([name, changes]) => [name, [combine(changes)]]));
    // If that fails, the file stays as it is.
    await renew(kept).catch(() => {});
  }
  return {
    kept,
    /** Says what was removed at the end, if anything. */
    notice: found.notice,
    /**
     * Appends texts where the file is as this process has written it, and waits until they are on the disk.
     * Where there is no file, one of all worlds is made.
     * @throws Problem 507 where something else has written the file, or Error of Node; then the texts do not count.
     */
    async write(texts: readonly string[], readWorlds: () => KeptChanges): Promise<void> {
      const file = size === 0 ? undefined : await open(path, forAppending).catch(ignoreMissingFile);
      if (file === undefined) return renew(readWorlds());
      try {
        const there = await file.stat({ bigint: true });
        const isOwn = identityOf(there) === identity && there.size >= size;
        if (isTorn && isOwn) await file.truncate(size);
        else refuseForeign(there);
        isTorn = true;
        try {
          for (const text of texts) await file.appendFile(text);
          await file.sync();
        } catch (error) {
          // At once, as something else may append later. If this fails too, the next write does it.
          await file.truncate(size).then(
            () => (isTorn = false),
            () => {},
          );
          throw error;
        }
        isTorn = false;
        for (const text of texts) size += Buffer.byteLength(text);
        // What was written to a file that has lost its name would be gone.
        refuseForeign(await stat(path, { bigint: true }));
      } finally {
        await file.close();
      }
    },
  };
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Treats a missing file as no error. */
export function ignoreMissingFile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** A crash may undo a rename until the folder is on the disk as well. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** What a file says, in how many lines and bytes; and which file it is. */
interface Found {
  readonly kept: KeptChanges;
  readonly lines: number;
  readonly size: number;
  readonly identity?: string;
  readonly notice?: string;
}

async function readFile(path: string): Promise<Found> {
  const file = await open(path, forAppending).catch(ignoreMissingFile);
  if (file === undefined) return { kept: new Map(), lines: 0, size: 0 };
  try {
    const { buffer } = await file.read(Buffer.alloc(header.length), { position: 0 });
    if (buffer.toString() === header) return await readLines(path, file);
    const expected = `a file of worlds of version ${version}`;
    const got = buffer.toString().startsWith('{"kind":"state"')
      ? 'an exported state; start from it with --world, or import it into a running mock'
      : 'another; give another file, or move this one away to start afresh';
    throw optionError(RangeError, 'data', `${path}: expected ${expected}, got ${got}`);
  } finally {
    await file.close();
  }
}

async function readLines(path: string, file: FileHandle): Promise<Found> {
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
  if (rest.length > 0 && unseal(decoder.decode(rest)) !== undefined) {
    take(rest);
    // Editors remove the last line break.
    await file.appendFile('\n');
  } else {
    end += rest.length;
  }
  // The first change was on the disk before the file got its name.
  if (end > size && kept.size === 0) throw damaged(path, lines + 1, kept);
  const identity = identityOf(await file.stat({ bigint: true }));
  const found = { kept, lines, size, identity };
  if (size === end) return found;
  await file.truncate(size);
  await file.sync();
  const notice = `data: ${path} ended in a change that was not written to its end; its ${end - size} bytes were removed`;
  return { ...found, notice };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function damaged(path: string, number: number, before: KeptChanges): RangeError {
  const advice =
    before.size === 0
      ? 'nothing is left before it; give another file, or move this one away to start afresh'
      : `"head -n ${number - 1} ${quote(path)} > NEW" keeps the changes before it in a new file, for --data NEW`;
  return optionError(RangeError, 'data', `${path}: line ${number} is damaged; ${advice}`);
}
