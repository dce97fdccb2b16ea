import type { FileHandle } from 'node:fs/promises';
import { quote } from '../../curl.ts';
import { optionError } from '../../option-error.ts';
import type { Change } from '../state/change.ts';
import { header, isTooLong, type LogLine, parseWithChecksum } from './log.ts';
import { asLog, type LogFile } from './log-file.ts';

/** The content of a file. */
export interface LogContents {
  /** The changes of each world since its last replacement, oldest first. */
  readonly kept: ReadonlyMap<string, readonly Change[]>;
  /** Absent when there is no file yet. */
  readonly log?: LogFile;
  /** Says what was removed at the end, if anything. */
  readonly notice?: string;
}

/**
 * Reads a log line by line, and removes an incomplete change at its end.
 * @throws RangeError when it is damaged or no log of this version; Error of Node.
 */
export async function readLog(path: string, handle: FileHandle): Promise<LogContents> {
  await refuseForeign(path, handle);
  const kept = new Map<string, Change[]>();
  const batch: LogLine[] = [];
  let number = 1;
  let end = header.length;
  let size = 0;
  let wholeSize = 0;
  let isEnded = true;
  for await (const { bytes, ended } of linesAfterHeader(handle)) {
    number += 1;
    end += bytes.length + Number(ended);
    const line = parseWithChecksum<LogLine>(bytes);
    // Only the end of a file can be incomplete. The first batch cannot: it was on the disk before the file
    // got its name.
    const isIncomplete = !ended && wholeSize > 0 && !isTooLong(bytes);
    if (line === undefined && !isIncomplete) throw damaged(path, number);
    if (line !== undefined) batch.push(line);
    if (line === undefined || line.more) continue;
    addChanges(kept, batch.splice(0));
    isEnded = ended;
    size = end;
    wholeSize ||= end;
  }
  if (wholeSize === 0 || !isEnded) {
    // Somebody has shortened a damaged file, or removed its last line break. The next change begins a new
    // file.
    addChanges(kept, batch);
    const log = await asLog(handle, end, wholeSize);
    log.incomplete = true;
    return { kept, log };
  }
  const log = await asLog(handle, size, wholeSize);
  if (size === end) return { kept, log };
  await handle.truncate(size);
  await handle.sync();
  const notice = `data: ${path} ended in a change that was not written to its end; its ${end - size} bytes were removed`;
  return { kept, log, notice };
}

/** A replacement makes the changes before it superfluous. */
function addChanges(kept: Map<string, Change[]>, lines: readonly LogLine[]): void {
  for (const [name, change] of lines.flatMap(({ changes }) => changes)) {
    const before = 'state' in change ? [] : (kept.get(name) ?? []);
    before.push(change);
    kept.set(name, before);
  }
}

async function refuseForeign(path: string, handle: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), { position: 0 });
  const start = buffer.toString('latin1', 0, bytesRead);
  if (start === header) return;
  throw optionError(
    RangeError,
    'data',
    `${path}: expected a file of worlds that this version has written, got ${describeStart(start)}`,
  );
}

function describeStart(start: string): string {
  if (/^\s*\{\s*"version"\s*:\s*1,\s*"now"/.test(start)) {
    return 'an exported state; start from it with --world, or import it into a running mock';
  }
  const what =
    start === ''
      ? 'an empty one'
      : start.includes('livestream-mock')
        ? 'a damaged one, or one of another version'
        : 'another';
  return `${what}; give another file, or move this one away to start afresh`;
}

function damaged(path: string, number: number): RangeError {
  const advice =
    number === 2
      ? 'nothing is left before it; give another file, or move this one away to start afresh'
      : `"head -n ${number - 1} ${quote(path)} > NEW" keeps the changes before it in a new file, for --data NEW`;
  return optionError(RangeError, 'data', `${path}: line ${number} is damaged; ${advice}`);
}

async function* linesAfterHeader(
  handle: FileHandle,
): AsyncGenerator<{ bytes: Buffer; ended: boolean }> {
  const options = { start: header.length, autoClose: false, highWaterMark: 1_000_000 };
  let rest = Buffer.alloc(0);
  for await (const chunk of handle.createReadStream(options)) {
    rest = Buffer.concat([rest, chunk]);
    for (let to = rest.indexOf('\n'); to >= 0; to = rest.indexOf('\n')) {
      yield { bytes: rest.subarray(0, to), ended: true };
      rest = rest.subarray(to + 1);
    }
  }
  if (rest.length > 0) yield { bytes: rest, ended: false };
}
