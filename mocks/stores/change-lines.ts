import { crc32 } from 'node:zlib';
import type { WorldContents } from '../../fixtures/world-records.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import type { Change } from '../state/change.ts';

/** The version of these lines. */
export const linesVersion = 2;

/** The lines of a change, made one by one: its records, and then the rest of it, which counts them. */
function* changeLines(change: Change, world: string | undefined): Generator<string, void> {
  const { streams = [], sessions = [], ...others } = 'state' in change ? change.state : change;
  const value = 'state' in change ? { at: change.at, state: others } : others;
  for (const stream of streams) yield seal({ kind: 'stream', world, value: stream });
  for (const session of sessions) yield seal({ kind: 'session', world, value: session });
  const counts = { streams: streams.length, sessions: sessions.length };
  yield seal({ kind: 'change', world, ...counts, value });
}

/** Lines that are made at once; other requests are answered in between. */
const linesAtOnce = 500;

/** The lines of changes as text, some at a time, each with a line break. */
export function* changeTexts(changes: readonly Change[], world?: string): Generator<string, void> {
  let text = '';
  let count = 0;
  for (const change of changes) {
    for (const line of changeLines(change, world)) {
      text += `${line}\n`;
      count += 1;
      if (count % linesAtOnce > 0) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

type ChangeLine = { readonly world?: string } & (
  | { readonly kind: 'stream'; readonly value: StreamRecord }
  | { readonly kind: 'session'; readonly value: SessionRecord }
  | {
      readonly kind: 'change';
      readonly streams: number;
      readonly sessions: number;
      /** The change without its records. */
      readonly value: Change;
    }
);

/** The changes of each world, oldest first. */
export type KeptChanges = ReadonlyMap<string, readonly Change[]>;

/** Puts changes together from their lines. */
export interface ChangeReader {
  /** Without the changes before a world's last replacement. */
  readonly kept: KeptChanges;
  /** Takes the next line; returns its kind, or `undefined` where it is damaged or lines before it are missing. */
  add(line: Uint8Array): ChangeLine['kind'] | undefined;
}

export function createChangeReader(): ChangeReader {
  const kept = new Map<string, Change[]>();
  const waiting = new Map<string, { streams: StreamRecord[]; sessions: SessionRecord[] }>();
  return {
    kept,
    add(bytes) {
      const line = unseal(bytes) as ChangeLine | undefined;
      if (line === undefined) return undefined;
      const { world = '' } = line;
      const records = waiting.get(world) ?? { streams: [], sessions: [] };
      waiting.set(world, records);
      if (line.kind === 'stream') records.streams.push(line.value);
      else if (line.kind === 'session') records.sessions.push(line.value);
      else {
        waiting.delete(world);
        // Any more than it counts are of a change that could not be written to its end.
        const streams = records.streams.slice(records.streams.length - line.streams);
        const sessions = records.sessions.slice(records.sessions.length - line.sessions);
        if (streams.length + sessions.length < line.streams + line.sessions) return undefined;
        const changes = 'state' in line.value ? [] : (kept.get(world) ?? []);
        changes.push(withRecords(line.value, { streams, sessions }));
        kept.set(world, changes);
      }
      return line.kind;
    },
  };
}

function withRecords(change: Change, records: WorldContents): Change {
  if ('state' in change) return { ...change, state: { ...change.state, ...records } };
  return { ...change, ...records };
}

/** The JSON of an object on one line, with a checksum as its last key. */
export function seal(value: object): string {
  const json = JSON.stringify(value).slice(0, -1);
  return json + endOf(json);
}

/** The object that {@link seal} has made a line of; `undefined` where it is not as it was written. */
export function unseal(line: Uint8Array): object | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
  const end = endOf(line.subarray(0, Math.max(0, line.length - sealLength)));
  return text.endsWith(end) ? JSON.parse(text) : undefined;
}

function endOf(json: string | Uint8Array): string {
  return `,"crc32":"${crc32(json).toString(16).padStart(8, '0')}"}`;
}

const sealLength = endOf('').length;

/** Whether a text is from version 1, whose lines began with their checksum. */
export function isOldLine(text: string): boolean {
  return /^[0-9a-f]{8} \d+ \{/.test(text);
}
