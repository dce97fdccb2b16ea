import type { FileHandle } from 'node:fs/promises';
import type { Change } from '../state/change.ts';
import { header, isTooLong, type LogLine, parseLine } from './log.ts';

/** What a file holds. */
export interface LogContents {
  /** Changes of each world, oldest first, from its latest replacement on. */
  readonly worlds: ReadonlyMap<string, readonly Change[]>;
  /** Bytes up to the end of the last batch that is complete. */
  readonly size: number;
  /** Bytes up to the end of the first one, the whole state; 0 where that one is not complete. */
  readonly wholeSize: number;
  /** Bytes after `size`: a batch that nobody was told of as kept. */
  readonly torn: number;
}

/**
 * Reads a log line by line.
 * @throws RangeError where it is damaged or was not written here; Error as Node does.
 */
export async function readLog(path: string, file: FileHandle): Promise<LogContents> {
  await refuseForeign(path, file);
  const worlds = new Map<string, Change[]>();
  const batch: LogLine[] = [];
  let number = 1;
  let end = header.length;
  let size = 0;
  let wholeSize = 0;
  let broken: Buffer | undefined;
  for await (const { bytes, ended } of linesAfterHeader(file)) {
    if (broken !== undefined) throw damaged(path, number);
    number += 1;
    end += bytes.length + Number(ended);
    const line = ended ? parseLine(bytes) : undefined;
    if (line === undefined) broken = bytes;
    else batch.push(line);
    if (line === undefined || line.more) continue;
    addChanges(worlds, batch.splice(0));
    size = end;
    wholeSize ||= end;
  }
  // The first batch was on the disk before the file was in its place, so it is not torn.
  if (broken !== undefined && (wholeSize === 0 || isTooLong(broken))) throw damaged(path, number);
  // What ends in it is what somebody has kept of a damaged file.
  if (wholeSize === 0) addChanges(worlds, batch);
  return { worlds, size, wholeSize, torn: wholeSize === 0 ? 0 : end - size };
}

/** What stands before a replacement counts no more. */
function addChanges(worlds: Map<string, Change[]>, lines: readonly LogLine[]): void {
  for (const [name, changes] of lines.flatMap((line) => Object.entries(line.worlds))) {
    const known = worlds.get(name) ?? [];
    worlds.set(name, known);
    for (const change of changes) {
      if ('state' in change) known.length = 0;
      known.push(change);
    }
  }
}

async function refuseForeign(path: string, file: FileHandle): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(header.length), { position: 0 });
  const start = buffer.toString('latin1', 0, bytesRead);
  if (start === header) return;
  const [, got] = foreign.find(([pattern]) => pattern.test(start)) ?? [];
  throw new RangeError(
    `data: ${path}: expected a file of worlds that this version has written, got ${got}; give another file, or move this one away to start afresh`,
  );
}

/** What other files begin with. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'an empty one'],
  [/^\{"version":1,"worlds"/, 'one of an earlier version'],
  [/^/, 'something else'],
];

function damaged(path: string, number: number): RangeError {
  return new RangeError(
    `data: ${path}: line ${number} is damaged; "head -n ${number - 1} '${path}' > NEW" keeps what stands before it in a new file`,
  );
}

async function* linesAfterHeader(
  file: FileHandle,
): AsyncGenerator<{ bytes: Buffer; ended: boolean }> {
  const parts: Buffer[] = [];
  const chunks = file.createReadStream({
    start: header.length,
    autoClose: false,
    highWaterMark: 1_000_000,
  });
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    let from = 0;
    for (let to = chunk.indexOf('\n'); to >= 0; to = chunk.indexOf('\n', from)) {
      parts.push(chunk.subarray(from, to));
      const [line = Buffer.alloc(0), ...more] = parts.splice(0);
      yield { bytes: more.length === 0 ? line : Buffer.concat([line, ...more]), ended: true };
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
  }
  const rest = Buffer.concat(parts);
  if (rest.length > 0) yield { bytes: rest, ended: false };
}
