import { mediaFileSeconds } from '../../conformance/providers/command.ts';
import type { Encoder } from '../../conformance/providers/provider.ts';
import { createCaller } from '../../conformance/target/creations.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../conformance/target/expectations.ts';
import { Blocked } from '../../conformance/target/failure.ts';
import { isReading, notAnId, unknownId } from '../../conformance/target/gate.ts';
import { type CreatedStream, post, readId } from '../../conformance/target/operations.ts';
import { isObject } from '../../interface/json.ts';
import { routeOf } from '../calls.ts';
import { jsonOf } from '../response.ts';
import { methodOf, type RecordPlace, type RequestMove } from './moves.ts';
import { type Correspondence, createCorrespondence, type Two } from './records.ts';
import { both, type Service } from './sides.ts';

interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A moment that is known to lie between two: a request was sent, and its response came. Milliseconds. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** What was seen of a session on a side, in milliseconds. */
interface Sighting {
  /** When a response first showed it. */
  shown?: number;
  /** When its recording was first seen to be ready: when that response came. */
  ready?: number;
}

/** A stream or session of the sequence. */
export interface MadeRecord {
  readonly kind: 'stream' | 'session' | 'other-key';
  /** Its id on each side; one that goes live has none until a list shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** What each side showed when it was created. */
  readonly shown: Two<JsonObject>;
  /** The stream of a session. */
  readonly parent?: MadeRecord;
  readonly seen: Two<Sighting>;
  deleted: boolean;
  /** Ends the live session on each side; absent while the stream is not live. */
  stop?: Two<() => Promise<void>>;
  /** When a session began and ended on each side. */
  began?: Two<TimeSpan>;
  ended?: Two<TimeSpan>;
}

/** What a sequence is run with, and what it has made and seen so far. */
export interface Run {
  readonly services: Two<Service>;
  readonly clock: Clock;
  /** Milliseconds during which what time may change is asked again. */
  readonly patience: number;
  /** Whether the responses of the second side were recorded, whatever their delays. */
  readonly isReplay: boolean;
  /** Lists that show what others made, too: their pages cannot be compared. */
  readonly sharedLists: Set<string>;
  readonly correspondence: Correspondence;
  readonly records: MadeRecord[];
  /** ETags by path. */
  readonly etags: Two<Map<string, string>>;
  /** The path and query of the next page on each side, by list. */
  readonly next: Map<string, Two<string>>;
}

/** Nothing is made and nothing is known yet. */
export function startRun(
  given: Pick<Run, 'services' | 'clock' | 'patience'> &
    Partial<Pick<Run, 'isReplay' | 'sharedLists'>>,
): Run {
  return {
    isReplay: false,
    sharedLists: new Set(),
    ...given,
    correspondence: createCorrespondence(),
    records: [],
    etags: [new Map(), new Map()],
    next: new Map(),
  };
}

function addRecord(
  { records }: Run,
  record: Pick<MadeRecord, 'kind' | 'ids' | 'shown'> & { parent?: MadeRecord },
): MadeRecord {
  const added: MadeRecord = { ...record, seen: [{}, {}], deleted: false };
  records.push(added);
  return added;
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

/** Whether a request may change something. */
export function isWrite(move: RequestMove): boolean {
  return !isReading(methodOf(move));
}

/** Whether a request creates a stream. */
export function creates(move: RequestMove): boolean {
  return methodOf(move) === 'POST' && routeOf(move.operation).path === '/stream';
}

/** Notes what a request changed; `true` if only one side changed something. */
export async function noteChange(
  run: Run,
  move: RequestMove,
  responses: Two<TargetResponse>,
  span: TimeSpan,
): Promise<boolean> {
  if (!isWrite(move)) return false;
  const [one, other] = responses.map(isSuccess);
  if (one !== other) return true;
  if (!one) return false;
  if (creates(move)) {
    const ids = [readId(responses[0]), readId(responses[1])] as const;
    if (ids.includes(undefined)) return true;
    const shown = responses.map((response) => jsonOf(response) ?? {}) as [JsonObject, JsonObject];
    addRecord(run, { kind: 'stream', ids: [...ids], shown });
  }
  const addressed = move.id && recordAt(run, move.id);
  if (addressed === undefined || methodOf(move) !== 'DELETE') return false;
  if (move.operation === 'terminateStream') await endEncoders(run, addressed, span);
  else {
    addressed.deleted = true;
    delete addressed.stop;
  }
  return false;
}

/** Notes that both services have ended the live session of a stream, and ends its encoders. */
async function endEncoders(run: Run, stream: MadeRecord, ended: TimeSpan): Promise<void> {
  if (stream.stop === undefined) return;
  // An encoder that has noticed it has nothing left to end.
  await both(stream.stop, (end) => end().catch(() => {}));
  noteEnd(run, stream, [ended, ended]);
}

function noteEnd({ records }: Run, stream: MadeRecord, ended: Two<TimeSpan>): void {
  delete stream.stop;
  for (const session of records) {
    if (session.parent === stream) session.ended ??= ended;
  }
}

/** Creates a stream of another API key, once in a sequence; `false` if that is not possible. */
export async function createForOtherKey(run: Run): Promise<boolean> {
  if (run.records.some(({ kind }) => kind === 'other-key')) return true;
  const [one, other] = await both(run.services, async ({ other: owner }) => {
    if (owner === undefined) return undefined;
    const send = createCaller(owner.target, owner.creations, () => {});
    return readId(await send(post('/stream', { name: 'of another key' })));
  });
  if (one === undefined || other === undefined) return false;
  addRecord(run, { kind: 'other-key', ids: [one, other], shown: [{}, {}] });
  return true;
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
  const [one, other] = await both(run.services, (service, side) => {
    const shown = isObject(parent.shown[side]) ? parent.shown[side] : {};
    const { streamKey: key } = shown;
    const streamKey = typeof key === 'string' ? key : undefined;
    return goLive(run.clock, service, { id: parent.ids[side] ?? '', streamKey, shown }, length);
  });
  const refused = [one.refused, other.refused].filter((error) => error !== undefined);
  if (refused.length > 0) {
    // What is live on one side alone is of no use; a suspended stream goes live on neither.
    for (const { end } of [one, other]) await end?.().catch(() => {});
    if (refused.length === 2) return false;
    throw refused[0];
  }
  const ids: MadeRecord['ids'] = [undefined, undefined];
  const shown = [one.session ?? {}, other.session ?? {}] as const;
  const session = addRecord(run, { kind: 'session', ids, shown, parent });
  recognize(run, 0, shown[0]);
  recognize(run, 1, shown[1]);
  session.began = [one.span, other.span];
  if (one.end && other.end) parent.stop = [one.end, other.end];
  else session.ended = session.began;
  return true;
}

/** What became of going live on one side. */
interface WentLive {
  readonly session?: JsonObject | undefined;
  readonly end?: (() => Promise<void>) | undefined;
  readonly refused?: Blocked;
  readonly span: TimeSpan;
}

async function goLive(
  { now }: Clock,
  { provider, creations }: Service,
  stream: CreatedStream,
  seconds: number | undefined,
): Promise<WentLive> {
  const from = now();
  const encoder = provider as Encoder;
  creations.live.add(stream.id);
  try {
    const isOpen = seconds === undefined;
    const end = isOpen ? await encoder.goLive?.(stream) : undefined;
    const session = isOpen ? undefined : await encoder.broadcast(stream, seconds);
    return { session, end, span: { from, to: now() } };
  } catch (error) {
    if (error instanceof Blocked) return { refused: error, span: { from, to: now() } };
    throw error;
  }
}

/** The streams that are live. */
export function liveStreams({ records }: Run): readonly MadeRecord[] {
  return records.filter((stream) => stream.stop !== undefined && !stream.deleted);
}

/** Ends a live session on both sides. @returns whether there was one */
export async function stopLive(run: Run, at: number): Promise<boolean> {
  const live = liveStreams(run);
  const stream = live[at % Math.max(1, live.length)];
  if (stream?.stop === undefined) return false;
  const { now } = run.clock;
  const ended = await both(stream.stop, async (end): Promise<TimeSpan> => {
    const from = now();
    await end();
    return { from, to: now() };
  });
  noteEnd(run, stream, ended);
  return true;
}

/** Ends what is still live; whatever an encoder then says. */
export async function stopAllLive(run: Run): Promise<void> {
  for (const { stop: ends } of run.records) {
    if (ends !== undefined) await both(ends, (end) => end().catch(() => {}));
  }
}
