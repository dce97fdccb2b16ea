import { crc32 } from 'node:zlib';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import type { Change } from '../state/change.ts';

/** Lines in one text: all lines of a large world would be too long for one. */
const linesPerText = 500;

/** A change of a world as texts of whole lines: its records, then the rest of it. */
export function changeTexts(change: Change, world?: string): string[] {
  const { streams = [], sessions = [], ...others } = 'state' in change ? change.state : change;
  const value = 'state' in change ? { at: change.at, state: others } : others;
  const counts = { streams: streams.length, sessions: sessions.length };
  const lines: string[] = [];
  for (const stream of streams) lines.push(seal({ kind: 'stream', world, value: stream }));
  for (const session of sessions) lines.push(seal({ kind: 'session', world, value: session }));
  lines.push(seal({ kind: 'change', world, ...counts, value }));
  const texts: string[] = [];
  for (let at = 0; at < lines.length; at += linesPerText) {
    texts.push(lines.slice(at, at + linesPerText).join(''));
  }
  return texts;
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
export function createChangeReader() {
  const kept = new Map<string, Change[]>();
  let streams: StreamRecord[] = [];
  let sessions: SessionRecord[] = [];
  return {
    /** Without the changes before a world's last replacement. */
    kept: kept as KeptChanges,
    /** Takes the next line; returns its kind, or `undefined` where it is damaged or lines before it are missing. */
    add(text: string): ChangeLine['kind'] | undefined {
      const line = unseal(text) as ChangeLine | undefined;
      if (line?.kind === 'stream') streams.push(line.value);
      if (line?.kind === 'session') sessions.push(line.value);
      if (line?.kind !== 'change') return line?.kind;
      const { world = '', value } = line;
      if (streams.length !== line.streams || sessions.length !== line.sessions) return undefined;
      const changes = kept.get(world) ?? [];
      const records = { streams, sessions };
      if ('state' in value) {
        kept.set(world, [{ ...value, state: { ...value.state, ...records } }]);
      } else {
        changes.push({ ...value, ...records });
        kept.set(world, changes);
      }
      streams = [];
      sessions = [];
      return line.kind;
    },
  };
}

/** The JSON of an object as a line, with a checksum as its last key. */
export function seal(value: object): string {
  const json = JSON.stringify(value).slice(0, -1);
  return `${json}${endOf(json)}\n`;
}

/** The object of a line without its line break; `undefined` where it is not as {@link seal} made it. */
export function unseal(line: string): object | undefined {
  const end = endOf(line.slice(0, -sealLength));
  return line.endsWith(end) ? JSON.parse(line) : undefined;
}

function endOf(json: string): string {
  return `,"crc32":"${crc32(json).toString(16).padStart(8, '0')}"}`;
}

const sealLength = endOf('').length;
