import { mediaFileSeconds } from '../../conformance/sessions/command.ts';
import type { Encoder } from '../../conformance/sessions/provider.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../conformance/target/expectations.ts';
import { jsonOf, notAnId, unknownId } from '../../conformance/target/gate.ts';
import { readId } from '../../conformance/target/operations.ts';
import type { TargetConnection } from '../connection.ts';
import { creates, isWrite, type Reference, type RequestMove, type StartMove } from './moves.ts';

/** A value for each of the two sides. */
export type BothSides<Value> = readonly [Value, Value];

/** What a sequence is sent to. A target is the same for each sequence: its streams are deleted. */
export type Service = Pick<TargetConnection, 'target' | 'creations' | 'provider' | 'createCaller'>;

/** Does the same for both sides at once. If one side fails, it rejects once both have ended. */
export async function onBothSides<Value, Result>(
  values: BothSides<Value>,
  work: (value: Value, side: 0 | 1) => Promise<Result>,
): Promise<BothSides<Result>> {
  const results = [work(values[0], 0), work(values[1], 1)] as const;
  await Promise.allSettled(results);
  return Promise.all(results);
}

/** A stream or session of the sequence. */
export interface CreatedRecord {
  readonly kind: 'stream' | 'session';
  /** Its id on each side; that of a session is unknown until a response shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** What each side showed when it was created. */
  readonly shown: BothSides<JsonObject>;
  /** The stream of a session. */
  readonly parent?: CreatedRecord;
  deleted: boolean;
  /** What ends its live session on each side; empty while it is not live. */
  readonly ends: (() => Promise<void>)[];
}

/** A sequence under way: where it runs, what it has created, and what corresponds on the two sides. */
export interface Run {
  readonly services: BothSides<Service>;
  /** In milliseconds since 1970, and in milliseconds. */
  readonly clock: { now(): number; pause(milliseconds: number): Promise<void> };
  /** Milliseconds for which to wait until recordings are ready. */
  readonly patience: number;
  /** Whether the responses of the second side were recorded, so that their timing means nothing. */
  readonly isReplay?: boolean;
  /** Lists that also show what others made: their pages cannot be compared. */
  readonly sharedLists: Set<string>;
  readonly records: CreatedRecord[];
  /** Values of each side, such as `0 streamKey abcd`, and their partners on the other side. */
  readonly partners: Map<string, string>;
  /** Pairs of times that stand for the same moment on the two sides. */
  readonly times: Map<string, BothSides<number>>;
}

/** Starts a run that has created nothing yet. */
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
 * Learns the ids of sessions from what a side shows: unknown ids are those of the sequence's sessions, in the
 * order in which they began.
 */
export function learnIds({ records }: Run, side: 0 | 1, shown: readonly JsonObject[]): void {
  const byAge = shown
    .toReversed()
    .toSorted((one, other) => Number(one['createdAt']) - Number(other['createdAt']));
  for (const { id, parentId } of byAge) {
    if (typeof id !== 'string' || records.some(({ ids }) => ids[side] === id)) continue;
    const session = records.find(
      ({ parent, ids }) => parent?.ids[side] === parentId && ids[side] === undefined,
    );
    if (session !== undefined) session.ids[side] = id;
  }
}

/** The objects in a list that the sequence created. */
export function recognize({ records }: Run, side: 0 | 1, list: readonly JsonObject[]) {
  return list.flatMap((shown) => {
    const created = records.find(({ ids }) => ids[side] !== undefined && ids[side] === shown['id']);
    return created === undefined ? [] : [{ created, shown }];
  });
}

/** The record that a request names; `undefined` if no such record has an id on both sides. */
export function findRecord({ records }: Run, reference: Reference): CreatedRecord | undefined {
  const known = records.filter(({ ids }) => !ids.includes(undefined));
  if (reference.of === 'recorded') {
    return known.find(({ ids, shown }) => [ids[1], shown[1]['playbackId']].includes(reference.id));
  }
  const { of, at } = reference;
  const fitting = known.filter(({ kind, deleted, ends }) => {
    if (of === 'live') return ends.length > 0;
    return of === 'deleted' ? kind === 'stream' && deleted : kind === of && !deleted;
  });
  return fitting.at(-1 - (at % Math.max(1, fitting.length)));
}

/**
 * The id on one side of the record that a request names. Without a record, it is an id that nothing has, or
 * the text that a client sends by mistake.
 */
export function idOf(run: Run, reference: Reference, side: 0 | 1): string {
  const record = findRecord(run, reference);
  const playbackId = record?.shown[side]['playbackId'];
  const isPlayed =
    reference.of === 'recorded' ? record?.ids[1] !== reference.id : reference.by !== undefined;
  if (isPlayed && typeof playbackId === 'string') return playbackId;
  return record?.ids[side] ?? (reference.of === 'malformed' ? notAnId : unknownId);
}

/** What is unusual about the object that a request names, by the name of the error if there is one. */
export function oddAbout(run: Run, { operation, id }: RequestMove): string[] {
  if (id === undefined) return [];
  const record = findRecord(run, id);
  if (record === undefined) return [id.of === 'malformed' ? 'id:malformed' : 'id:unknown'];
  const { kind, deleted, parent, ends } = record;
  if (deleted) return ['id:deleted'];
  if (parent?.deleted) return ['session of a deleted stream'];
  if (ends.length > 0) return ['state:live'];
  const usual = operation === 'retrieveSession' ? 'session' : 'stream';
  return kind === usual ? [] : [`id:${kind}`];
}

/** Notes what a request changed. Resolves to whether only one side changed something. */
export async function noteChange(
  run: Run,
  move: RequestMove,
  responses: BothSides<TargetResponse>,
): Promise<boolean> {
  if (!isWrite(move)) return false;
  const [one, other] = responses.map(isSuccess);
  if (!one || !other) return one !== other;
  if (creates(move)) {
    const ids: CreatedRecord['ids'] = [readId(responses[0]), readId(responses[1])];
    if (ids.includes(undefined)) return true;
    const shown = responses.map(jsonOf) as [JsonObject, JsonObject];
    run.records.push({ kind: 'stream', ids, shown, deleted: false, ends: [] });
  }
  const addressed = move.id && findRecord(run, move.id);
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
  const parent = findRecord(run, start);
  const needed = seconds === undefined ? 'goLive' : 'broadcast';
  const canStart = run.services.every(({ provider }) => needed in provider);
  if (parent === undefined || parent.ends.length > 0 || !canStart) return false;
  const sendsFile = run.services.some(({ provider }) => provider.name === 'command');
  const shown = await onBothSides(run.services, async ({ provider, creations }, side) => {
    const encoder = provider as Encoder;
    const id = parent.ids[side] ?? '';
    const shown = parent.shown[side];
    const streamKey = typeof shown['streamKey'] === 'string' ? shown['streamKey'] : undefined;
    creations.live.add(id);
    const stream = { id, streamKey, shown };
    if (seconds !== undefined) {
      return (await encoder.broadcast(stream, sendsFile ? mediaFileSeconds : seconds)) ?? {};
    }
    const end = await encoder.goLive?.(stream);
    if (end !== undefined) parent.ends.push(end);
    return {};
  });
  const session = { shown, parent, deleted: false, ends: [] };
  run.records.push({ kind: 'session', ids: [undefined, undefined], ...session });
  learnIds(run, 0, [shown[0]]);
  learnIds(run, 1, [shown[1]]);
  return true;
}

/** Ends the live session of a stream. @throws Blocked or NoResponse if an encoder does not end it */
export async function endLiveSession(stream: CreatedRecord): Promise<void> {
  const ended = stream.ends.splice(0).map((end) => end());
  await Promise.allSettled(ended);
  await Promise.all(ended);
}
