import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { effectOf } from '../faults/effects.ts';
import {
  type Change,
  countSaved,
  type Replacement,
  type SavedState,
  type Update,
} from '../state/change.ts';
import { refuseLongRecord, refuseRecords } from '../state/limits.ts';
import type { Moment } from '../state/moment.ts';
import { recordsOf } from '../state/ordered.ts';
import { applyUpdate, type Records, readState } from '../state/state.ts';
import { findLivePosition } from './live-playback.ts';
import { claimMedia } from './media-owner.ts';
import { announce, type OpenWorld, type Requester, readTime } from './world.ts';
import { actionOf, eventsOf, momentOf, originalOf, type WorldEvent } from './world-events.ts';

/**
 * Updates a world for a client or a tester. A fault may decide about the recording of a session that ends.
 * @param now when the update was decided, in milliseconds since 1970 on the world's clock
 * @throws Problem 429 if the mock has no room for its new records, 413 for one that is too long. Then no fault is used
 * up.
 */
export function commit(
  { world, isTester }: Pick<Requester, 'world' | 'isTester'>,
  update: Omit<Update, 'at'>,
  now: number = world.clock.now(),
): void {
  const { streams = [], sessions = [] } = update;
  const { records } = world.state;
  const isNew = ({ id }: { readonly id: string }): boolean =>
    (records.stream(id) ?? records.session(id)) === undefined;
  refuseRecords(world.settings.recordCount, [...streams, ...sessions].filter(isNew).length);
  for (const stream of streams) {
    if (hasNewTexts(stream, records.stream(stream.id))) refuseLongRecord(stream);
  }
  const kept = sessions.length > 0 && {
    sessions: placeInLivePlaylists(records, sessions).map((session) =>
      withFault(world, session, now),
    ),
  };
  applyUpdateTo(world, { at: readTime(world.settings), ...update, ...kept }, { isTester, now });
}

/** Whether a stream has other texts than before, so that it may have become too long. */
function hasNewTexts(stream: StreamRecord, before: StreamRecord | undefined): boolean {
  if (before === undefined) return true;
  const fieldsWithTexts = ['name', 'profiles', 'shown', 'further'] as const;
  return fieldsWithTexts.some((field) => stream[field] !== before[field]);
}

/** The sessions of an update, of which each new one has its place in the live playlist of its stream. */
function placeInLivePlaylists(
  records: Records,
  sessions: readonly SessionRecord[],
): SessionRecord[] {
  const latestByStream = new Map<string, SessionRecord>();
  return sessions.map((session) => {
    const { id, parentId } = session;
    if (records.session(id) !== undefined) return session;
    const latest = latestByStream.get(parentId) ?? records.latestSession(parentId);
    const livePosition = latest && findLivePosition(latest, session);
    const placed = livePosition === undefined ? session : { ...session, livePosition };
    if (latest === undefined || livePosition !== undefined) latestByStream.set(parentId, placed);
    return placed;
  });
}

/** A session as it is kept. If it has ended and a fault matches, that sets the status of its recording. */
function withFault(world: OpenWorld, session: SessionRecord, now: number): SessionRecord {
  const { id, record, endedAt, parentId } = session;
  if (!record || endedAt === undefined || session.recordingStatus !== undefined) return session;
  const matched = world.faults.take({ operation: undefined, id: parentId });
  if (matched === undefined) return session;
  const { recordingStatus } = effectOf(matched.fault);
  if (recordingStatus === undefined) return session;
  const decision = { streamId: parentId, sessionId: id, fault: matched.id };
  rememberMoment(world, { kind: 'fault', at: now, ...decision });
  return { ...session, recordingStatus };
}

/**
 * Replaces everything in a world. A state from the store is not handed to the store again.
 * @throws Problem 429 if the mock has no room for it.
 */
export function replaceState(world: OpenWorld, saved: SavedState, fromStore = false): void {
  const { settings, state } = world;
  refuseRecords(settings.recordCount, countSaved(saved) - state.records.count());
  const replacement = { at: readTime(settings), state: { seed: state.seed, ...saved } };
  applyReplacement(world, replacement, fromStore);
}

/** Replaces everything in a world at once. */
function applyReplacement(world: OpenWorld, replacement: Replacement, fromStore: boolean): void {
  refuseDropped(world);
  world.state = readState(replacement.state);
  claimMedia(world);
  world.moments.length = 0;
  world.originals.clear();
  const { now, speed = 1 } = replacement.state;
  world.clock.set(now, speed);
  if (!fromStore) {
    keep(world, replacement);
    // An import and a reset clear the journal after this.
    world.journal.addAction({ kind: 'restored' });
  }
  announce(world, 'state');
}

/** Who makes a change, and when it was decided, in milliseconds since 1970 on the world's clock. */
interface Circumstances {
  readonly isTester: boolean;
  readonly now: number;
}

/** Every update of a world comes here, to be applied, remembered, handed to the store and announced. */
function applyUpdateTo(world: OpenWorld, update: Update, { isTester, now }: Circumstances): void {
  refuseDropped(world);
  const { state, clock } = world;
  for (const event of eventsOf(state.records, now, update)) {
    remember(world, event, { isTester, now });
  }
  applyUpdate(state, update);
  if (update.now !== undefined) clock.set(update.now, update.speed);
  keep(world, update);
  announce(world, update.now === undefined ? 'state' : 'clock');
}

/**
 * Notes that somebody asks for a world. If idle worlds end, the store must learn that now and then, because a restart
 * would forget it.
 */
export function useWorld(world: OpenWorld): void {
  const { settings, keptAt, isSaved } = world;
  const now = readTime(settings);
  world.isAsked = true;
  world.usedAt = now;
  const { idle = Number.POSITIVE_INFINITY } = settings;
  if (isSaved !== undefined && now - keptAt > idle / 10) keep(world, { at: now });
}

/** A request can still be in progress when its world is dropped. */
function refuseDropped({ dropped }: OpenWorld): void {
  if (dropped !== undefined) throw dropped;
}

/** Hands a change to the store. */
function keep(world: OpenWorld, change: Change): void {
  world.changes += 1;
  world.keptAt = change.at;
  world.keep?.(change);
}

/** Maximum number of moments, and of streams before a change, that a world remembers. */
const maxRemembered = 1000;

function rememberMoment({ moments }: OpenWorld, moment: Moment): void {
  moments.push(moment);
  if (moments.length > maxRemembered) moments.shift();
}

/** Remembers what happens, before it does: for the timeline, and for archives. */
function remember(world: OpenWorld, event: WorldEvent, { isTester, now }: Circumstances): void {
  const { state, originals, journal } = world;
  const moment = momentOf(event, now);
  if (moment !== undefined) rememberMoment(world, moment);
  const stream = originalOf(event);
  if (stream !== undefined && !originals.has(stream.id)) {
    originals.set(stream.id, { stream, sessions: recordsOf(state.records.sessionsOf(stream.id)) });
    const [oldest = stream.id] = originals.keys();
    if (originals.size > maxRemembered) originals.delete(oldest);
  }
  const action = isTester ? actionOf(event) : undefined;
  if (action !== undefined) journal.addAction(action);
}

/** Runs `change` and returns its value. If it changed the world, this waits until the store has kept the change. */
export async function whenSaved<Value>(
  world: OpenWorld,
  change: () => Value | Promise<Value>,
): Promise<Value> {
  const { changes } = world;
  const value = await change();
  if (world.changes !== changes) await world.saved;
  return value;
}
