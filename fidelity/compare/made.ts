import { mediaFileSeconds } from '../../conformance/sessions/command.ts';
import type { Encoder } from '../../conformance/sessions/provider.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../conformance/target/expectations.ts';
import { Blocked } from '../../conformance/target/failure.ts';
import { notAnId, unknownId } from '../../conformance/target/gate.ts';
import { readId } from '../../conformance/target/operations.ts';
import { isObject } from '../../interface/json.ts';
import { jsonOf } from '../response.ts';
import { creates, isWrite, type RecordPlace, type RequestMove } from './moves.ts';
import { type Correspondence, createCorrespondence, type Two } from './records.ts';
import { both, type Service } from './sides.ts';

/** A stream or session of the sequence. */
export interface MadeRecord {
  readonly kind: 'stream' | 'session';
  /** Its id on each side; one that goes live has none until a list shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** What each side showed when it was created. */
  readonly shown: Two<JsonObject>;
  /** The stream of a session. */
  readonly parent?: MadeRecord;
  deleted: boolean;
  /** What ends its live session on each side; absent while it is not live. */
  stop?: readonly (() => Promise<void>)[];
}

/** What a sequence is run with. */
interface Given {
  readonly services: Two<Service>;
  /** In milliseconds since 1970, and in milliseconds. */
  readonly clock: { now(): number; pause(milliseconds: number): Promise<void> };
  /** Milliseconds during which what time may change is asked again. */
  readonly patience: number;
  /** Whether the responses of the second side were recorded, whatever their delays. */
  readonly isReplay?: boolean;
  /** Lists that show what others made, too: their pages cannot be compared. */
  readonly sharedLists: Set<string>;
}

/** A sequence that is run: with what, and what it has made and seen so far. */
export interface Run extends Given {
  readonly correspondence: Correspondence;
  readonly records: MadeRecord[];
}

/** Nothing is made and nothing is known yet. */
export function startRun(given: Given): Run {
  return { ...given, correspondence: createCorrespondence(), records: [] };
}

/**
 * The record that a side shows; `undefined` for what the sequence did not make. A session that is new
 * is the first of its stream whose id was not known.
 */
export function recognize(
  { records }: Run,
  side: 0 | 1,
  record: JsonObject,
): MadeRecord | undefined {
  const { id: given, parentId } = record;
  const id = typeof given === 'number' ? String(given) : given;
  if (typeof id !== 'string') return undefined;
  const known = records.find(({ ids }) => ids[side] === id);
  if (known !== undefined || typeof parentId !== 'string') return known;
  const found = records.find(
    ({ parent, ids }) => parent?.ids[side] === parentId && ids[side] === undefined,
  );
  if (found !== undefined) found.ids[side] = id;
  return found;
}

/** The record at a place, the newest first; `undefined` where there is none with an id on both sides. */
export function recordAt({ records }: Run, { of, at }: RecordPlace): MadeRecord | undefined {
  const fitting = records.filter(({ kind, deleted, ids }) => {
    if (ids.includes(undefined)) return false;
    return of === 'deleted' ? kind === 'stream' && deleted : kind === of && !deleted;
  });
  return fitting[fitting.length - 1 - (at % Math.max(1, fitting.length))];
}

/** The place of the record that has an id, or a playback id, on the second side; `undefined` where there is none. */
export function placeOfId(run: Run, id: string): RecordPlace | undefined {
  const played = run.records.find(({ shown }) => shown[1]['playbackId'] === id);
  const record = run.records.find(({ ids }) => ids[1] === id) ?? played;
  if (record === undefined || record.ids.includes(undefined)) return undefined;
  const of = record.deleted ? 'deleted' : record.kind;
  const at = run.records.findIndex((_, index) => recordAt(run, { of, at: index }) === record);
  return record === played ? { of, at, by: 'playbackId' } : { of, at };
}

/**
 * The id that a place has on a side: one that nothing has, where nothing is there, and for what is no id
 * the text that a client sends by mistake.
 */
export function idAt(run: Run, place: RecordPlace, side: 0 | 1): string {
  const record = recordAt(run, place);
  const playbackId = record?.shown[side]['playbackId'];
  if (place.by === 'playbackId' && typeof playbackId === 'string') return playbackId;
  return record?.ids[side] ?? (place.of === 'malformed' ? notAnId : unknownId);
}

/** What is odd about the object that a request names: the name of an error where there is one. */
export function oddAbout(run: Run, { operation, id }: RequestMove): string[] {
  if (id === undefined) return [];
  const record = recordAt(run, id);
  if (record === undefined) return [id.of === 'malformed' ? 'id:malformed' : 'id:unknown'];
  const { kind, deleted, parent, stop } = record;
  if (deleted) return ['id:deleted'];
  if (parent?.deleted) return ['session of a deleted stream'];
  if (stop) return ['state:live'];
  const usual = operation === 'retrieveSession' ? 'session' : 'stream';
  return kind === usual ? [] : [`id:${kind}`];
}

/** Notes what a request changed; `true` if only one side changed something. */
export async function noteChange(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
): Promise<boolean> {
  if (!isWrite(move)) return false;
  const [one, other] = responses.map(isSuccess);
  if (one !== other) return true;
  if (!one) return false;
  if (creates(move)) {
    const ids = [readId(responses[0]), readId(responses[1])] as const;
    if (ids.includes(undefined)) return true;
    const shown = responses.map(jsonOf) as [JsonObject, JsonObject];
    run.records.push({ kind: 'stream', ids: [...ids], shown, deleted: false });
  }
  const addressed = move.id && recordAt(run, move.id);
  if (addressed === undefined || move.call.method !== 'DELETE') return false;
  // An encoder that has noticed its end has nothing left to end.
  if (move.operation === 'terminateStream') await endLive(addressed).catch(() => {});
  else {
    addressed.deleted = true;
    delete addressed.stop;
  }
  return false;
}

/**
 * Makes both sides go live, unless neither can.
 * @returns whether they did
 * @throws Error if only one side can
 */
export async function startLive(
  run: Run,
  at: number,
  seconds: number | undefined,
): Promise<boolean> {
  const parent = recordAt(run, { of: 'stream', at });
  if (parent === undefined || parent.stop !== undefined) return false;
  const sendsFile = run.services.some(({ provider }) => provider.name === 'command');
  const length = sendsFile && seconds !== undefined ? mediaFileSeconds : seconds;
  const went = await both(run.services, (service, side) => goLive(service, parent, side, length));
  const refused = went.filter((one) => one instanceof Blocked);
  // A suspended stream goes live on neither.
  if (refused.length === 2) return false;
  const ends = went.flatMap((one) => (typeof one === 'function' ? one : []));
  if (ends.length > 0) parent.stop = ends;
  if (refused[0] !== undefined) throw refused[0];
  const shown = went.map((one) => (isObject(one) ? one : {})) as [JsonObject, JsonObject];
  run.records.push({ kind: 'session', ids: [undefined, undefined], shown, parent, deleted: false });
  recognize(run, 0, shown[0]);
  recognize(run, 1, shown[1]);
  return true;
}

/** Resolves to the session if it has ended and is known, to what ends it, or to why it cannot begin. */
async function goLive(
  { provider, creations }: Service,
  { ids, shown: all }: MadeRecord,
  side: 0 | 1,
  seconds: number | undefined,
): Promise<JsonObject | (() => Promise<void>) | Blocked | undefined> {
  const id = ids[side] ?? '';
  const shown = isObject(all[side]) ? all[side] : {};
  const key = shown['streamKey'];
  const stream = { id, streamKey: typeof key === 'string' ? key : undefined, shown };
  const encoder = provider as Encoder;
  creations.live.add(id);
  try {
    return seconds === undefined
      ? await encoder.goLive?.(stream)
      : await encoder.broadcast(stream, seconds);
  } catch (error) {
    if (error instanceof Blocked) return error;
    throw error;
  }
}

/** The streams that are live. */
export function liveStreams({ records }: Run): readonly MadeRecord[] {
  return records.filter((stream) => stream.stop !== undefined);
}

/** Ends a live session on both sides. @returns whether there was one */
export async function stopLive(run: Run, at: number): Promise<boolean> {
  const live = liveStreams(run);
  const stream = live[at % Math.max(1, live.length)];
  if (stream !== undefined) await endLive(stream);
  return stream !== undefined;
}

/** Ends the live session of a stream. @throws Blocked or NoResponse if an encoder cannot be ended */
async function endLive(stream: MadeRecord): Promise<void> {
  const { stop: ends = [] } = stream;
  delete stream.stop;
  const ended = ends.map((end) => end());
  await Promise.allSettled(ended);
  await Promise.all(ended);
}

/** Ends what is still live; whatever an encoder then says. */
export async function stopAllLive(run: Run): Promise<void> {
  for (const stream of liveStreams(run)) await endLive(stream).catch(() => {});
}
