import { mediaFileSeconds } from '../../conformance/sessions/command.ts';
import type { Encoder } from '../../conformance/sessions/provider.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../conformance/target/expectations.ts';
import { notAnId, unknownId } from '../../conformance/target/gate.ts';
import { readId } from '../../conformance/target/operations.ts';
import { isObject } from '../../interface/json.ts';
import { jsonOf } from '../response.ts';
import { creates, isWrite, type RecordPlace, type RequestMove, type StartMove } from './moves.ts';
import { both, type Service, type Two } from './sides.ts';

/** A stream or session of the sequence. */
export interface MadeRecord {
  readonly kind: 'stream' | 'session';
  /** Its id on each side; that of a session is unknown until a response shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** What each side showed when it was created. */
  readonly shown: Two<JsonObject>;
  /** The stream of a session. */
  readonly parent?: MadeRecord;
  deleted: boolean;
  /** What ends its live session on each side; absent while it is not live. */
  stop?: readonly (() => Promise<void>)[];
}

/** A sequence under way: where it runs, what it has made, and what corresponds on the two sides. */
export interface Run {
  readonly services: Two<Service>;
  /** In milliseconds since 1970, and in milliseconds. */
  readonly clock: { now(): number; pause(milliseconds: number): Promise<void> };
  /** Milliseconds for which to wait until recordings are ready. */
  readonly patience: number;
  /** Whether the responses of the second side were recorded, so that their timing means nothing. */
  readonly isReplay?: boolean;
  /** Lists that also show what others made: their pages cannot be compared. */
  readonly sharedLists: Set<string>;
  readonly records: MadeRecord[];
  /** Values of each side, such as `0 streamKey abcd`, and their partners on the other side. */
  readonly partners: Map<string, string>;
  /** Pairs of times that stand for the same moment on the two sides. */
  readonly times: Map<string, Two<number>>;
}

/** Starts a run that has made nothing yet. */
export function startRun(given: Omit<Run, 'records' | 'partners' | 'times'>): Run {
  return { ...given, records: [], partners: new Map(), times: new Map() };
}

/** Whether two values of a kind stand for the same thing. Two that have no partner yet become partners. */
export function correspond({ partners }: Run, kind: string, one: string, other: string): boolean {
  const first = `0 ${kind} ${one}`;
  const second = `1 ${kind} ${other}`;
  if (!partners.has(first) && !partners.has(second)) partners.set(first, second).set(second, first);
  return partners.get(first) === second;
}

/** Milliseconds within which the order of two times does not matter. */
const tolerance = 200;

/** Whether a moment, in the time of each side, comes before the same moments on both sides. */
export function inSameOrder({ times }: Run, one: number, other: number): boolean {
  times.set(`${one} ${other}`, [one, other]);
  return [...times.values()].every(([first, second]) => {
    const areClose = Math.min(Math.abs(one - first), Math.abs(other - second)) <= tolerance;
    return areClose || one < first === other < second;
  });
}

/**
 * The record that a side shows; `undefined` if the sequence did not make it. An unknown session of a stream is
 * the first of its sessions whose id is still unknown.
 */
function recognize(
  { records }: Run,
  side: 0 | 1,
  { id, parentId }: JsonObject,
): MadeRecord | undefined {
  if (typeof id !== 'string') return undefined;
  const known = records.find(({ ids }) => ids[side] === id);
  if (known !== undefined || typeof parentId !== 'string') return known;
  const found = records.find(
    ({ parent, ids }) => parent?.ids[side] === parentId && ids[side] === undefined,
  );
  if (found !== undefined) found.ids[side] = id;
  return found;
}

/** The records of a list that the sequence made. Unknown ids are those of its sessions, in the order in which they began. */
export function recognizeAll(run: Run, side: 0 | 1, list: readonly JsonObject[]) {
  const byAge = list
    .toReversed()
    .toSorted((one, other) => Number(one['createdAt']) - Number(other['createdAt']));
  const known = new Map(byAge.map((record) => [record, recognize(run, side, record)]));
  return list.flatMap((record) => {
    const made = known.get(record);
    return made === undefined ? [] : [{ made, record }];
  });
}

/** The record at a place; `undefined` if none there has an id on both sides. */
export function recordAt({ records }: Run, place: RecordPlace): MadeRecord | undefined {
  const whole = records.filter(({ ids }) => !ids.includes(undefined));
  if (place.of === 'recorded') {
    return whole.find(({ ids, shown }) => [ids[1], shown[1]['playbackId']].includes(place.id));
  }
  const { of, at } = place;
  const fitting = whole.filter(({ kind, deleted, stop }) => {
    if (of === 'live') return stop !== undefined;
    return of === 'deleted' ? kind === 'stream' && deleted : kind === of && !deleted;
  });
  return fitting.at(-1 - (at % Math.max(1, fitting.length)));
}

/**
 * The id of the record at a place on one side. Without a record, it is an id that nothing has, or the text
 * that a client sends by mistake.
 */
export function idAt(run: Run, place: RecordPlace, side: 0 | 1): string {
  const record = recordAt(run, place);
  const playbackId = record?.shown[side]['playbackId'];
  const isPlayed = place.of === 'recorded' ? record?.ids[1] !== place.id : place.by !== undefined;
  if (isPlayed && typeof playbackId === 'string') return playbackId;
  return record?.ids[side] ?? (place.of === 'malformed' ? notAnId : unknownId);
}

/** What is unusual about the object that a request names, by the name of the error if there is one. */
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

/** Notes what a request changed. Resolves to whether only one side changed something. */
export async function noteChange(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
): Promise<boolean> {
  if (!isWrite(move)) return false;
  const [one, other] = responses.map(isSuccess);
  if (!one || !other) return one !== other;
  if (creates(move)) {
    const ids = [readId(responses[0]), readId(responses[1])] as const;
    if (ids.includes(undefined)) return true;
    const shown = responses.map(jsonOf) as [JsonObject, JsonObject];
    run.records.push({ kind: 'stream', ids: [...ids], shown, deleted: false });
  }
  const addressed = move.id && recordAt(run, move.id);
  if (addressed === undefined || move.call.method !== 'DELETE') return false;
  // The encoder may have noticed already, and then has nothing to end.
  await endLiveSession(addressed).catch(() => {});
  if (move.operation !== 'terminateStream') addressed.deleted = true;
  return false;
}

/**
 * Makes both sides go live, unless one has no way to.
 * @returns whether they did
 * @throws Blocked or NoResponse if a side does not go live
 */
export async function startLive(run: Run, { start, seconds }: StartMove): Promise<boolean> {
  const parent = recordAt(run, start);
  const needed = seconds === undefined ? 'goLive' : 'broadcast';
  const canStart = run.services.every(({ provider }) => needed in provider);
  if (parent === undefined || parent.stop !== undefined || !canStart) return false;
  const sendsFile = run.services.some(({ provider }) => provider.name === 'command');
  const length = sendsFile && seconds !== undefined ? mediaFileSeconds : seconds;
  const ends: (() => Promise<void>)[] = [];
  const shown = await both(run.services, async (service, side) => {
    const went = await goLive(service, parent, side, length);
    if (typeof went === 'function') ends.push(went);
    return isObject(went) ? went : {};
  }).finally(() => {
    if (ends.length > 0) parent.stop = ends;
  });
  run.records.push({ kind: 'session', ids: [undefined, undefined], shown, parent, deleted: false });
  recognize(run, 0, shown[0]);
  recognize(run, 1, shown[1]);
  return true;
}

/** Goes live on one side. Resolves to a function that ends the session, or to the ended session if it is known. */
async function goLive(
  { provider, creations }: Service,
  stream: MadeRecord,
  side: 0 | 1,
  seconds: number | undefined,
) {
  const id = stream.ids[side] ?? '';
  const shown = stream.shown[side];
  const streamKey = typeof shown['streamKey'] === 'string' ? shown['streamKey'] : undefined;
  const encoder = provider as Encoder;
  creations.live.add(id);
  const created = { id, streamKey, shown };
  return seconds === undefined ? encoder.goLive?.(created) : encoder.broadcast(created, seconds);
}

/** Ends the live session of a stream. @throws Blocked or NoResponse if an encoder does not end it */
export async function endLiveSession(stream: MadeRecord): Promise<void> {
  const { stop: ends = [] } = stream;
  delete stream.stop;
  const ended = ends.map((end) => end());
  await Promise.allSettled(ended);
  await Promise.all(ended);
}

/** Ends all live sessions, as far as encoders can. */
export async function endLiveSessions({ records }: Run): Promise<void> {
  for (const record of records) await endLiveSession(record).catch(() => {});
}
