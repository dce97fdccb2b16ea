import { crc32 } from 'node:zlib';
import type { WorldContents } from '../../fixtures/worlds.ts';
import type { Change } from '../state/change.ts';

/** Changes of one world, oldest first. */
export type WorldChanges = readonly [world: string, changes: readonly Change[]];

/** A line of the file: a batch of changes, or a part of one. */
export interface LogLine {
  readonly worlds: Readonly<Record<string, readonly Change[]>>;
  /** The next line belongs to the same batch, which counts from its last line. */
  readonly more?: true;
}

/** Records in a line, at most twice this: what is written or read while others wait. */
const recordsPerLine = 200;

/** The first line of a file. */
export const header: string = formatLine({ format: 'livestream-mock worlds', version: 1 });

/** The lines of a batch, each when it is asked for. */
export function* batchLines(batch: Iterable<WorldChanges>): Generator<string> {
  let worlds = new Map<string, Change[]>();
  let records = 0;
  for (const [name, change] of smallChanges(batch)) {
    if (records >= recordsPerLine) {
      yield formatLine({ worlds: Object.fromEntries(worlds), more: true });
      worlds = new Map();
      records = 0;
    }
    const changes = worlds.get(name) ?? [];
    worlds.set(name, changes);
    changes.push(change);
    records += 1 + countRecords(change);
  }
  yield formatLine({ worlds: Object.fromEntries(worlds) });
}

/** What stands in a line, without its line break; `undefined` where that is not what was written. */
export function parseLine(bytes: Buffer): LogLine | undefined {
  const start = bytes.indexOf('{');
  const json = bytes.subarray(start);
  if (start < 0 || bytes.toString('latin1', 0, start) !== checksum(json)) return undefined;
  return JSON.parse(json.toString());
}

/**
 * Whether a line that cannot be parsed is longer than it says: two lines whose line break is damaged.
 * One that was not written to its end is not.
 */
export function isTooLong(bytes: Buffer): boolean {
  const [start, length] = /^[0-9a-f]{8} (\d+) /.exec(bytes.toString('latin1', 0, 30)) ?? [''];
  return bytes.length - start.length > Number(length);
}

function formatLine(value: object): string {
  const json = JSON.stringify(value);
  return `${checksum(json)}${json}\n`;
}

/** What stands before the JSON of a line: its CRC-32 and its length in bytes. */
function checksum(json: string | Buffer): string {
  return `${crc32(json).toString(16).padStart(8, '0')} ${Buffer.byteLength(json)} `;
}

function* smallChanges(batch: Iterable<WorldChanges>): Generator<readonly [string, Change]> {
  for (const [name, changes] of batch) {
    for (const change of changes) for (const part of split(change)) yield [name, part];
  }
}

/** A change as several that do the same one after the other, each with few records. */
function* split(change: Change): Generator<Change> {
  if (countRecords(change) <= recordsPerLine) return yield change;
  const { at } = change;
  const { streams, sessions } = recordsOf(change);
  if ('state' in change) yield { at, state: { ...change.state, streams: [], sessions: [] } };
  else yield { ...change, streams: [], sessions: [] };
  for (const some of slices(streams)) yield { at, streams: some };
  for (const some of slices(sessions)) yield { at, sessions: some };
}

function* slices<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += recordsPerLine) {
    yield items.slice(from, from + recordsPerLine);
  }
}

function countRecords(change: Change): number {
  const { streams, sessions } = recordsOf(change);
  return streams.length + sessions.length;
}

function recordsOf(change: Change): WorldContents {
  const { streams = [], sessions = [] } = 'state' in change ? change.state : change;
  return { streams, sessions };
}
