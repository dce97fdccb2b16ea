import type { FileHandle } from 'node:fs/promises';
import { quote } from '../../curl.ts';
import type { Change } from '../state/change.ts';
import { header, isTooLong, type LogLine, parseLine } from './log.ts';
import type { LogFile } from './log-file.ts';

/** What a file holds. */
export interface LogContents {
  /** Changes of each world, oldest first, from its latest replacement on. */
  readonly kept: ReadonlyMap<string, readonly Change[]>;
  /** Absent where nothing can be added to the file. */
  readonly log?: LogFile;
  /** Says what was cut off at the end, if anything. */
  readonly notice?: string;
}

/**
 * Reads a log line by line, and cuts off what was not written to its end.
 * @throws RangeError where it is damaged or was not written here; Error as Node does.
 */
export async function readLog(path: string, handle: FileHandle): Promise<LogContents> {
  await refuseForeign(path, handle);
  const kept = new Map<string, Change[]>();
  const batch: LogLine[] = [];
  let number = 1;
  let end = header.length;
  let size = 0;
  let wholeSize = 0;
  let broken: Buffer | undefined;
  for await (const { bytes, ended } of linesAfterHeader(handle)) {
    if (broken !== undefined) throw damaged(path, number);
    number += 1;
    end += bytes.length + Number(ended);
    const line = ended ? parseLine(bytes) : undefined;
    if (line === undefined) broken = bytes;
    else batch.push(line);
    if (line === undefined || line.more) continue;
    addChanges(kept, batch.splice(0));
    size = end;
    wholeSize ||= end;
  }
  // The first batch was on the disk before the file was in its place, so it is not torn.
  if (broken !== undefined && (wholeSize === 0 || isTooLong(broken))) throw damaged(path, number);
  if (wholeSize === 0) {
    // This is what somebody has kept of a damaged file.
    addChanges(kept, batch);
    await handle.close();
    return { kept };
  }
  const log = { handle, size, wholeSize };
  if (size === end) return { kept, log };
  await handle.truncate(size);
  await handle.sync();
  const notice = `data: ${path} ended in a change that was not written to its end and not answered; its ${end - size} bytes are cut off`;
  return { kept, log, notice };
}

/** What stands before a replacement counts no more. */
function addChanges(kept: Map<string, Change[]>, lines: readonly LogLine[]): void {
  for (const [name, change] of lines.flatMap(({ changes }) => changes)) {
    const before = 'state' in change ? [] : (kept.get(name) ?? []);
    before.push(change);
    kept.set(name, before);
  }
}

async function refuseForeign(path: string, handle: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), { position: 0 });
  if (buffer.toString('latin1', 0, bytesRead) === header) return;
  throw new RangeError(
    `data: ${path}: expected a file of worlds that this version has written, got ${bytesRead === 0 ? 'an empty one' : 'something else'}; give another file, or move this one away to start afresh`,
  );
}

function damaged(path: string, number: number): RangeError {
  return new RangeError(
    `data: ${path}: line ${number} is damaged; "head -n ${number - 1} ${quote(path)} > NEW" keeps what stands before it in a new file`,
  );
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
