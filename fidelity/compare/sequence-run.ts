import { isObject } from '../../interface/json.ts';
import { mediaFileSeconds } from '../../target/providers/command-provider.ts';
import type { Encoder } from '../../target/providers/provider.ts';
import { jsonOf } from '../../target/requests/bounded-json.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { isSuccess, type JsonObject, readId } from '../../target/requests/read-response.ts';
import { notAnId, unknownId } from '../../target/requests/well-known.ts';
import { asCreatedStream } from '../../target/streams/stream-requests.ts';
import { type BothSides, type ComparedService, onBothSides } from './both-sides.ts';
import {
  creates,
  isWrite,
  type Reference,
  type RequestMove,
  type StartMove,
  type Trait,
} from './moves.ts';

/** A stream or session of the sequence. */
export interface CreatedItem {
  readonly kind: 'stream' | 'session';
  /** Its id on each side; that of a session is unknown until a response shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** The item on each side when it was created. */
  readonly initial: BothSides<JsonObject>;
  /** The stream of a session. */
  readonly parent?: CreatedItem;
  deleted: boolean;
  /** Whether an update named `suspended`, so that the stream may be kept from going live. */
  mayBeSuspended: boolean;
  /** What ends its live session on each side; empty while it is not live. */
  readonly ends: (() => Promise<void>)[];
}

/** How many sessions a search may still make, and how many it did without. */
export interface SessionBudget {
  left: number;
  missing: number;
}

/** A sequence under way: where it runs, what it has created, and what corresponds on the two sides. */
export interface SequenceRun {
  readonly services: BothSides<ComparedService>;
  /** In milliseconds since 1970, and in milliseconds. */
  readonly clock: { now(): number; pause(milliseconds: number): Promise<void> };
  /** Milliseconds for which to wait until recordings are ready. */
  readonly patience: number;
  /** Whether the second side is an archive, so that their timing means nothing. */
  readonly isReplay?: boolean;
  /** How many sessions may still be made, and how many were not; absent if any number may. */
  readonly sessionBudget?: SessionBudget | undefined;
  /** Lists that also contain items of others: their pages cannot be compared. */
  readonly sharedLists: Set<string>;
  readonly items: CreatedItem[];
  /** Values of each side, such as `0 streamKey abcd`, and their partners on the other side. */
  readonly partners: Map<string, string>;
  /** Pairs of times that stand for the same moment on the two sides. */
  readonly times: Map<string, BothSides<number>>;
}

/** Starts a run that has created nothing yet. */
export function startRun(setup: Omit<SequenceRun, 'items' | 'partners' | 'times'>): SequenceRun {
  return { ...setup, items: [], partners: new Map(), times: new Map() };
}

/**
 * Learns the ids of sessions from what a side lists: unknown ids are those of the sequence's sessions, in the
 * order in which they began.
 */
export function learnIds({ items }: SequenceRun, side: 0 | 1, list: readonly JsonObject[]) {
  const oldestFirst = list
    .toReversed()
    .toSorted((left, right) => Number(left['createdAt']) - Number(right['createdAt']));
  for (const { id, parentId } of oldestFirst) {
    if (typeof id !== 'string' || items.some(({ ids }) => ids[side] === id)) continue;
    const session = items.find(
      ({ parent, ids }) => parent?.ids[side] === parentId && ids[side] === undefined,
    );
    if (session !== undefined) session.ids[side] = id;
  }
}

/** The objects in a list that the sequence created. */
export function recognize({ items }: SequenceRun, side: 0 | 1, list: readonly JsonObject[]) {
  return list.flatMap((item) => {
    const created = items.find(({ ids }) => ids[side] !== undefined && ids[side] === item['id']);
    return created === undefined ? [] : [{ created, item }];
  });
}

/** The item that a request names; `undefined` if no such item has an id on both sides. */
export function findCreated({ items }: SequenceRun, reference: Reference) {
  const identified = items.filter(({ ids }) => !ids.includes(undefined));
  if (reference.of === 'archived') {
    const { id } = reference;
    return identified.find(({ ids, initial }) => [ids[1], initial[1]['playbackId']].includes(id));
  }
  const { of, at } = reference;
  const candidates = identified.filter(({ kind, deleted, ends }) => {
    if (of === 'live') return ends.length > 0;
    return of === 'deleted' ? kind === 'stream' && deleted : kind === of && !deleted;
  });
  return candidates.at(-1 - (at % Math.max(1, candidates.length)));
}

/**
 * The id on one side of the item that a request names. Without an item, it is an id that nothing has, or
 * the text that a client sends by mistake.
 */
export function idOf(run: SequenceRun, reference: Reference, side: 0 | 1): string {
  const item = findCreated(run, reference);
  const playbackId = item?.initial[side]['playbackId'];
  const isPlayed =
    reference.of === 'archived' ? item?.ids[1] !== reference.id : reference.by !== undefined;
  if (isPlayed && typeof playbackId === 'string') return playbackId;
  return item?.ids[side] ?? (reference.of === 'malformed' ? notAnId : unknownId);
}

/** What is unusual about the object that a request names, by the name of the error if there is one. */
export function traitsOf(run: SequenceRun, { endpoint, id }: RequestMove): Trait[] {
  if (id === undefined) return [];
  const item = findCreated(run, id);
  if (item === undefined) return [id.of === 'malformed' ? 'id:malformed' : 'id:unknown'];
  const { kind, deleted, parent, ends } = item;
  if (deleted) return ['id:deleted'];
  if (parent?.deleted) return ['session of a deleted stream'];
  if (ends.length > 0) return ['state:live'];
  const expectedKind = endpoint === 'retrieveSession' ? 'session' : 'stream';
  return kind === expectedKind ? [] : [`id:${kind}`];
}

/** What happened to a new item so far. */
function unchanged(): Pick<CreatedItem, 'deleted' | 'mayBeSuspended' | 'ends'> {
  return { deleted: false, mayBeSuspended: false, ends: [] };
}

/** Whether the body of a request has a field of this name, whatever its value. */
function namesField({ call: { body } }: RequestMove, name: string): boolean {
  return isObject(body) && Object.hasOwn(body, name);
}

/** Notes what a request changed. Resolves to whether only one side changed something. */
export async function noteChange(
  run: SequenceRun,
  move: RequestMove,
  responses: BothSides<TargetResponse>,
): Promise<boolean> {
  if (!isWrite(move)) return false;
  const [didLeft, didRight] = responses.map(isSuccess);
  if (!didLeft || !didRight) return didLeft !== didRight;
  if (creates(move)) {
    const ids: CreatedItem['ids'] = [readId(responses[0]), readId(responses[1])];
    if (ids.includes(undefined)) return true;
    const initial = responses.map(jsonOf) as [JsonObject, JsonObject];
    run.items.push({ kind: 'stream', ids, initial, ...unchanged() });
  }
  const item = move.id && findCreated(run, move.id);
  if (item === undefined) return false;
  if (namesField(move, 'suspended')) item.mayBeSuspended = true;
  if (move.call.method !== 'DELETE') return false;
  // The encoder may have noticed already, and then has nothing to end.
  await endLiveSession(item).catch(() => {});
  if (move.endpoint !== 'terminateStream') item.deleted = true;
  return false;
}

/**
 * Makes both sides go live, unless one has no way to, or may refuse it.
 * @returns whether they did
 * @throws Blocked or NoResponse if a side does not go live
 */
export async function startLive(run: SequenceRun, { start, seconds }: StartMove): Promise<boolean> {
  const parent = findCreated(run, start);
  const method = seconds === undefined ? 'goLive' : 'broadcast';
  const canStart = run.services.every(({ provider }) => method in provider);
  if (parent === undefined || parent.ends.length > 0 || !canStart) return false;
  if (parent.mayBeSuspended) return false;
  if (!takeSession(run)) return false;
  const sendsFile = run.services.some(({ provider }) => provider.name === 'command');
  const initial = await onBothSides(run.services, async ({ provider, creations }, side) => {
    const encoder = provider as Encoder;
    const id = parent.ids[side] ?? '';
    creations.live.add(id);
    const stream = asCreatedStream(id, parent.initial[side]);
    if (seconds !== undefined) {
      return (await encoder.broadcast(stream, sendsFile ? mediaFileSeconds : seconds)) ?? {};
    }
    const end = await encoder.goLive?.(stream);
    if (end !== undefined) parent.ends.push(end);
    return {};
  });
  run.items.push({
    kind: 'session',
    ids: [undefined, undefined],
    initial,
    parent,
    ...unchanged(),
  });
  for (const side of [0, 1] as const) learnIds(run, side, [initial[side]]);
  return true;
}

/** Whether a session may be made. It counts those that may not. */
function takeSession({ sessionBudget: budget }: SequenceRun): boolean {
  if (budget === undefined) return true;
  const isAllowed = budget.left > 0;
  if (isAllowed) budget.left -= 1;
  else budget.missing += 1;
  return isAllowed;
}

/** Ends the live session of a stream. @throws Blocked or NoResponse if an encoder does not end it */
export async function endLiveSession(stream: CreatedItem): Promise<void> {
  const endings = stream.ends.splice(0).map((end) => end());
  await Promise.allSettled(endings);
  await Promise.all(endings);
}
