import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { notAnId, unknownId } from '../../../conformance/target/gate.ts';
import type { Place, RequestMove } from '../moves/move.ts';
import type { Two } from './side.ts';

/** A stream or session of the sequence. */
export interface MadeRecord {
  readonly kind: 'stream' | 'session' | 'other-key';
  /** Its id on each side; one that goes live has none until a list shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** What each side showed when it was created. */
  readonly shown: Two<JsonObject>;
  /** The stream of a session. */
  readonly parent?: MadeRecord;
  deleted: boolean;
  /** Ends the live session on each side; absent while the stream is not live. */
  stop?: Two<() => Promise<void>>;
  /** When a session began and ended on each side. */
  began?: Two<Span>;
  ended?: Two<Span>;
}

/** A moment that is known to lie between two: a request was sent, and its response came. Milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** All streams and sessions of a sequence, and what was seen of them. */
export interface MadeRecords {
  readonly records: MadeRecord[];
  /** By the id on each side. */
  readonly byId: Two<Map<string, MadeRecord>>;
  /** ETags by path. */
  readonly etags: Two<Map<string, string>>;
  /** The last list that had a next page, and the path and query of that on each side. */
  next: { readonly move: RequestMove; readonly paths: Two<string> } | undefined;
  /** Lists that show what others made, too: their pages cannot be compared. */
  readonly sharedLists: Set<string>;
}

export function createMadeRecords(sharedLists: Set<string>): MadeRecords {
  return {
    sharedLists,
    records: [],
    byId: [new Map(), new Map()],
    etags: [new Map(), new Map()],
    next: undefined,
  };
}

/** Adds a stream or session. */
export function addRecord(
  made: MadeRecords,
  record: Pick<MadeRecord, 'kind' | 'ids' | 'shown'> & { parent?: MadeRecord },
): MadeRecord {
  const added: MadeRecord = { ...record, deleted: false };
  made.records.push(added);
  for (const side of [0, 1] as const) noteId(made, added, side, record.ids[side]);
  return added;
}

function noteId(made: MadeRecords, record: MadeRecord, side: 0 | 1, id: string | undefined): void {
  if (id === undefined) return;
  record.ids[side] = id;
  made.byId[side].set(id, record);
}

/**
 * The record that a side shows; `undefined` for what the sequence did not make. A session that is new
 * is the first of its stream whose id was not known.
 */
export function recognize(
  made: MadeRecords,
  side: 0 | 1,
  record: JsonObject,
): MadeRecord | undefined {
  const { id: given, parentId } = record;
  const id = typeof given === 'number' ? String(given) : given;
  if (typeof id !== 'string') return undefined;
  const known = made.byId[side].get(id);
  if (known !== undefined || typeof parentId !== 'string') return known;
  const parent = made.byId[side].get(parentId);
  const found = made.records.find(
    (record) => record.parent === parent && parent !== undefined && record.ids[side] === undefined,
  );
  if (found !== undefined) noteId(made, found, side, id);
  return found;
}

/** The record at a place, the newest first; `undefined` where there is none with an id on both sides. */
export function recordAt({ records }: MadeRecords, { of, at }: Place): MadeRecord | undefined {
  const fitting = records.filter(({ kind, deleted, ids }) => {
    if (ids.includes(undefined)) return false;
    return of === 'deleted' ? kind === 'stream' && deleted : kind === of && !deleted;
  });
  return fitting[fitting.length - 1 - (at % Math.max(1, fitting.length))];
}

/** The place of the record that has an id, or a playback id, on a side; `undefined` where there is none. */
export function placeOfId(made: MadeRecords, side: 0 | 1, id: string): Place | undefined {
  const played = made.records.find(({ shown }) => shown[side]['playbackId'] === id);
  const record = made.byId[side].get(id) ?? played;
  if (record === undefined || record.ids.includes(undefined)) return undefined;
  const of = record.deleted ? 'deleted' : record.kind;
  const at = made.records.findIndex((_, index) => recordAt(made, { of, at: index }) === record);
  return record === played ? { of, at, by: 'playbackId' } : { of, at };
}

/**
 * The id that a place has on a side: one that nothing has, where nothing is there, and for what is no id
 * the text that a client sends by mistake.
 */
export function idAt(made: MadeRecords, place: Place, side: 0 | 1): string {
  const record = recordAt(made, place);
  const playbackId = record?.shown[side]['playbackId'];
  if (place.by === 'playbackId' && typeof playbackId === 'string') return playbackId;
  return record?.ids[side] ?? (place.of === 'malformed' ? notAnId : unknownId);
}

/** What a place is, in a word: for coverage, and for what a difference is about. */
export function describePlace(made: MadeRecords, place: Place): string {
  const record = recordAt(made, place);
  if (record === undefined) return place.of === 'malformed' ? 'malformed id' : 'unknown id';
  if (record.deleted) return 'deleted stream';
  if (record.kind === 'other-key') return "another key's stream";
  if (record.parent?.deleted) return 'session of a deleted stream';
  return record.stop ? `live ${record.kind}` : record.kind;
}
