import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { effectOf } from '../faults/effects.ts';
import { type Change, countSaved, type SavedState, type Update } from '../state/change.ts';
import { refuseLongRecord, refuseRecords } from '../state/limits.ts';
import type { Moment } from '../state/moment.ts';
import { recordsOf } from '../state/ordered.ts';
import { applyUpdate, type Records, readState } from '../state/state.ts';
import { findLivePosition } from './live-playback.ts';
import { announce, type OpenWorld, readTime } from './world.ts';

/**
 * Updates a world. A fault may decide about the recording of a session that ends.
 * @throws Problem 429 if the mock has no room for its new records, 413 for one that is too long. Then no fault is used
 * up.
 */
export function commit(world: OpenWorld, update: Omit<Update, 'at'>): void {
  const { streams = [], sessions = [] } = update;
  const { records } = world.state;
  const isNew = ({ id }: { readonly id: string }): boolean =>
    (records.stream(id) ?? records.session(id)) === undefined;
  refuseRecords(world.settings.recordCount, [...streams, ...sessions].filter(isNew).length);
  streams.forEach(refuseLongRecord);
  const kept = sessions.length > 0 && {
    sessions: placeInLivePlaylists(records, sessions).map((session) => withFault(world, session)),
  };
  applyChange(world, { at: readTime(world.settings), ...update, ...kept });
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
function withFault({ faults }: OpenWorld, session: SessionRecord): SessionRecord {
  const { record, endedAt, parentId } = session;
  if (!record || endedAt === undefined || session.recordingStatus !== undefined) return session;
  const matched = faults.take({ operation: undefined, id: parentId });
  const recordingStatus = matched && effectOf(matched.fault).recordingStatus;
  return recordingStatus === undefined ? session : { ...session, recordingStatus };
}

/**
 * Replaces everything in a world. A state from the store is not handed to the store again.
 * @throws Problem 429 if the mock has no room for it.
 */
export function replaceState(world: OpenWorld, saved: SavedState, fromStore = false): void {
  const { settings, state } = world;
  refuseRecords(settings.recordCount, countSaved(saved) - state.records.count());
  const replacement = { at: readTime(settings), state: { seed: state.seed, ...saved } };
  applyChange(world, replacement, fromStore);
}

/** Every change of a world comes here, to be applied, handed to the store and announced. */
function applyChange(world: OpenWorld, change: Change, fromStore = false): void {
  // A request can still be in progress when its world is dropped.
  if (world.dropped !== undefined) throw world.dropped;
  if ('state' in change) {
    world.state = readState(change.state);
    world.moments.length = 0;
    world.originals.clear();
  } else {
    rememberOriginals(world, change);
    rememberSwitches(world, change.streams);
    applyUpdate(world.state, change);
  }
  const { now, speed } = 'state' in change ? { speed: 1, ...change.state } : change;
  if (now !== undefined) world.clock.set(now, speed);
  if (!fromStore) {
    world.changes += 1;
    world.keep?.(change);
  }
  announce(world, 'state' in change || now === undefined ? 'state' : 'clock');
}

/** Remembers which streams' recording an update switches. It is called before the update is applied. */
function rememberSwitches(world: OpenWorld, streams: readonly StreamRecord[] = []): void {
  const { state, clock } = world;
  for (const { id, record } of streams) {
    const isSwitched = record !== (state.records.stream(id)?.record ?? record);
    if (isSwitched)
      rememberMoment(world, { kind: 'recording', at: clock.now(), streamId: id, record });
  }
}

/** Remembers the streams that an update changes or deletes for the first time. */
function rememberOriginals({ state, originals }: OpenWorld, update: Update): void {
  const { records } = state;
  const changedIds = update.streams?.map(({ id }) => id) ?? [];
  for (const id of [...changedIds, ...(update.deleted ?? [])]) {
    const stream = records.stream(id);
    if (stream === undefined || originals.has(id)) continue;
    originals.set(id, { stream, sessions: recordsOf(records.sessionsOf(id)) });
    const [oldest = id] = originals.keys();
    if (originals.size > maxRemembered) originals.delete(oldest);
  }
}

/** Maximum number of moments, and of streams before a change, that a world remembers. */
const maxRemembered = 1000;

/** Remembers a moment, and forgets the oldest one if there are too many. */
export function rememberMoment({ moments }: OpenWorld, moment: Moment): void {
  moments.push(moment);
  if (moments.length > maxRemembered) moments.shift();
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
