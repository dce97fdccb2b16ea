import { crc32 } from 'node:zlib';
import type { WorldContents } from '../../fixtures/world-records.ts';
import { partsOf } from '../state/build-state.ts';
import type { Change } from '../state/change.ts';

/** A change, and the name of its world. */
export type NamedChange = readonly [world: string, change: Change];

/** A line of the file: a batch of changes, or a part of one. */
export interface LogLine {
  /** Oldest first. */
  readonly changes: readonly NamedChange[];
  /** The batch goes on in the next line; it counts only once its last line is there. */
  readonly more?: true;
}

/** Requests are answered between two lines. A line has at most twice as many records. */
export const recordsPerLine = 200;

/** The first line of a file. */
export const header: string = `${withChecksum({ format: 'livestream-mock worlds', version: 1 })}\n`;

/** The lines of a batch, made one by one. */
export function* batchLines(batch: Iterable<NamedChange>): Generator<string> {
  let changes: NamedChange[] = [];
  let records = 0;
  for (const [name, change] of batch) {
    for (const part of splitChange(change)) {
      if (records >= recordsPerLine) {
        yield `${withChecksum({ changes, more: true })}\n`;
        changes = [];
        records = 0;
      }
      changes.push([name, part]);
      records += 1 + countRecords(part);
    }
  }
  yield `${withChecksum({ changes })}\n`;
}

/** What {@link withChecksum} has made a text of; `undefined` when its checksum is wrong. */
export function parseWithChecksum<Value extends object>(bytes: Buffer): Value | undefined {
  const start = bytes.indexOf('{');
  const json = bytes.subarray(start);
  if (start < 0 || bytes.toString('latin1', 0, start) !== checksum(json)) return undefined;
  return JSON.parse(json.toString());
}

/**
 * Whether a damaged line is longer than it says, because the line break between two lines is damaged. A
 * line that was not written completely is shorter.
 */
export function isTooLong(bytes: Buffer): boolean {
  const [start, length] = /^[0-9a-f]{8} (\d+) /.exec(bytes.toString('latin1', 0, 30)) ?? [''];
  return bytes.length - start.length > Number(length);
}

/** A text of one line. */
export function withChecksum(value: object): string {
  const json = JSON.stringify(value);
  return checksum(json) + json;
}

/** The beginning of a line: the CRC-32 and the length in bytes of its JSON. */
function checksum(json: string | Buffer): string {
  return `${crc32(json).toString(16).padStart(8, '0')} ${Buffer.byteLength(json)} `;
}

/** Cuts a change into several with few records each, which have the same effect together. */
export function* splitChange(change: Change): Generator<Change> {
  if (countRecords(change) <= recordsPerLine) return yield change;
  const { at } = change;
  const none = { streams: [], sessions: [] };
  yield 'state' in change ? { at, state: { ...change.state, ...none } } : { ...change, ...none };
  for (const part of partsOf(recordsOf(change), recordsPerLine)) yield { at, ...part };
}

/** Whether writing a change takes so long that other changes should not wait for it. */
export function isLarge(change: Change): boolean {
  return countRecords(change) > 10_000;
}

function countRecords(change: Change): number {
  const { streams, sessions } = recordsOf(change);
  return streams.length + sessions.length;
}

function recordsOf(change: Change): WorldContents {
  const { streams = [], sessions = [] } = 'state' in change ? change.state : change;
  return { streams, sessions };
}
