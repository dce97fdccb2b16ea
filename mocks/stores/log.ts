import { open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from '../../text/curl.ts';
import { optionError } from '../../text/option-error.ts';
import { linesOf } from '../messages/lines.ts';
import type { Change } from '../state/change.ts';
import { combine } from '../state/state.ts';
import { changeLine, type NamedChange, readChangeLine, seal } from './change-line.ts';

const formatVersion = 3;

/** The first line of a file. */
const header: string = seal({ kind: 'livestream-mock worlds', version: formatVersion });

/** Fewer bytes of superfluous changes than this are not worth a compaction. */
const fewBytes = 100_000;

/** What a log keeps of a world. */
interface KeptWorld {
  /** Its changes since its last replacement, which is the first of them. */
  readonly changes: Change[];
  /** The bytes of that replacement. */
  readonly bytes: number;
}

/**
 * Opens the log of changes in a file. Removes an incomplete change at its end, and compacts the file if less than half
 * of it is needed.
 * @throws RangeError if it is damaged or is not a log of this version; Error of Node.
 */
export async function openLog(path: string) {
  const bytes = await readFile(path);
  // A process that was killed may have left part of the header, and nothing else.
  const isPartOfHeader = bytes.length < header.length && header.startsWith(bytes.toString());
  const { worlds, end } = readLog(path, isPartOfHeader ? new Uint8Array() : bytes);
  if (end < bytes.length) await truncate(path, end);
  const lacksBreak = end === bytes.length && end > 0 && bytes[end - 1] !== 10;
  let neededBytes = fewBytes;
  for (const world of worlds.values()) neededBytes += world.bytes;
  // If that fails, the file is either as it was or already compacted.
  if (end > 2 * neededBytes) await compact(path, worlds).catch(() => {});
  const file = await open(path, 'a');
  let { size } = await file.stat();
  /** Whether the file may end in part of a write that failed. */
  let isTorn = false;

  const append = async (lines: string): Promise<void> => {
    const { size: sizeOnDisk, nlink } = await file.stat();
    const isUntouched = sizeOnDisk === size || (isTorn && sizeOnDisk > size);
    // The lock does not keep out other machines, containers and programs.
    if (nlink === 0 || !isUntouched) {
      throw new Error(`${path} was written or removed by something else; start this mock again`);
    }
    if (isTorn) await file.truncate(size);
    isTorn = true;
    await file.appendFile(lines);
    await file.datasync();
    isTorn = false;
    size += Buffer.byteLength(lines);
  };
  if (size === 0) await append(header);
  // An editor may have removed the last line break; the change before it was acknowledged.
  else if (lacksBreak && size === end) await append('\n');
  return {
    worlds,
    /** Says what was removed at the end of the file, if anything. */
    notice:
      end < bytes.length
        ? `data: ${path} ended in a change that was only partly written; its ${bytes.length - end} bytes were removed`
        : undefined,
    /**
     * Appends lines, and waits until they are on the disk.
     * @throws Error if that fails, or if something else has written the file. Then the lines do not count.
     */
    append,
    close: () => file.close(),
  };
}

/** The worlds in a log, and where its last whole line ends. */
function readLog(path: string, bytes: Uint8Array) {
  const worlds = new Map<string, KeptWorld>();
  let number = 0;
  let end = 0;
  for (const line of linesOf(bytes)) {
    const text = lineDecoder.decode(line);
    number += 1;
    if (number === 1) {
      if (`${text}\n` !== header) throw otherFile(path, text);
    } else {
      const namedChange = readChangeLine(text);
      // A line without its end was never acknowledged.
      if (namedChange === undefined && end + line.length === bytes.length) break;
      if (namedChange === undefined) throw damagedLine(path, number);
      addTo(worlds, namedChange, line.length);
    }
    end = Math.min(end + line.length + 1, bytes.length);
  }
  return { worlds, end };
}

const lineDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

function addTo(
  worlds: Map<string, KeptWorld>,
  { world, change }: NamedChange,
  bytes: number,
): void {
  if ('state' in change) worlds.set(world, { changes: [change], bytes });
  else worlds.get(world)?.changes.push(change);
}

/** Replaces a log with one of whole worlds. At any time, the file is completely one or the other. */
async function compact(path: string, worlds: ReadonlyMap<string, KeptWorld>): Promise<void> {
  const draft = `${path}.livestream-mock.tmp`;
  try {
    // What is there may be a link.
    await rm(draft, { force: true });
    await writeFile(draft, wholeLines(worlds), { mode: 0o600, flush: true });
    await rename(draft, path);
    // Without this, a power cut could undo the renaming.
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
  } finally {
    await rm(draft, { force: true });
  }
}

function* wholeLines(worlds: ReadonlyMap<string, KeptWorld>): Generator<string, void> {
  yield header;
  for (const [world, { changes }] of worlds) yield changeLine(world, combine(changes));
}

function otherFile(path: string, firstLine: string): RangeError {
  const got = firstLine.startsWith('{"kind":"state"')
    ? 'an exported state; start from it with --world, or import it into a running mock'
    : 'another; give another file, or move this one away to start afresh';
  const expected = `a file of worlds of version ${formatVersion}`;
  return optionError(RangeError, 'data', `${path}: expected ${expected}, got ${got}`);
}

function damagedLine(path: string, number: number): RangeError {
  const advice = `"head -n ${number - 1} ${quote(path)} > NEW" keeps the changes before it in a new file, for --data NEW`;
  return optionError(RangeError, 'data', `${path}: line ${number} is damaged; ${advice}`);
}
