import { type Random, resumeRandom } from '../../fixtures/random.ts';
import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';
import type { Profile, Stream, StreamRecord, StreamUpdate } from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import type { Update } from '../state/change.ts';
import { refuseRecords } from '../state/limits.ts';
import { breaksFor, switchByUpdate } from './breaks.ts';
import { createId, createPlaybackId, createStreamKey } from './ids.ts';
import { addMedia, copyProfiles } from './media-counts.ts';
import type { StreamInput } from './new-stream.ts';
import { perBehaviours } from './per-behaviours.ts';
import { findChangeable, refuseLive } from './queries.ts';
import { endedSession } from './sessions.ts';
import { updatedStream } from './stream-update.ts';
import { commit, type WorldState } from './world.ts';

/** A stream with new identifiers. `createdAt` is in milliseconds since 1970; an earlier time becomes 1970. */
export function buildStream(random: Random, createdAt: number, input: StreamInput): StreamRecord {
  const id = createId(random);
  const { profilesShown, further } = input;
  const stream = {
    id,
    name: input.name,
    createdAt: Math.max(0, createdAt),
    profiles: input.profiles ?? [],
    streamKey: createStreamKey(random, id),
    playbackId: createPlaybackId(random, id),
    record: input.record ?? false,
  };
  if (profilesShown === undefined && further === undefined) return stream;
  return { ...stream, ...(profilesShown && { profilesShown }), ...(further && { further }) };
}

/** A stream as a client sees it (interface 2.1). */
export function viewStream(world: WorldState, stream: StreamRecord): Stream {
  const now = world.clock.now();
  const view: Stream = {
    id: stream.id,
    kind: 'stream',
    name: stream.name,
    createdAt: stream.createdAt,
    streamKey: stream.streamKey,
    playbackId: stream.playbackId,
    record: stream.record,
    profiles: copyProfiles(stream.profiles),
    // Not spread from a constant: that would take as long as all the rest.
    isActive: false,
    lastSeen: 0,
    sourceSegments: 0,
    transcodedSegments: 0,
    sourceSegmentsDuration: 0,
    transcodedSegmentsDuration: 0,
    sourceBytes: 0,
    transcodedBytes: 0,
    suspended: false,
    renditions: {},
    userId: world.state.userId,
    createdByTokenName: 'livestream-mock',
  };
  for (const { record } of world.state.records.sessionsOf(stream.id).rows) {
    if (record !== undefined) addMedia(view, record, now);
  }
  return stream.further === undefined ? view : Object.assign(view, stream.further);
}

/**
 * Creates a parent stream (interface 4.1).
 * @throws Problem 400 when two profiles have the same name, 429 when the mock is full.
 */
export function createStream(
  world: WorldState,
  input: StreamInput,
  behaviours: Behaviours = usualBehaviours,
): StreamRecord {
  return createStreams(world, [input], behaviours)[0] as StreamRecord;
}

/**
 * Creates several streams as one change: all of them or none.
 * @throws Problem as {@link createStream} does.
 */
export function createStreams(
  world: WorldState,
  inputs: readonly StreamInput[],
  behaviours: Behaviours = usualBehaviours,
): StreamRecord[] {
  if (behaviours['create.equal-profiles'] !== 'accepted') {
    for (const { profiles = [] } of inputs) refuseSameNames(profiles);
  }
  refuseRecords(world.settings.recordCount, inputs.length);
  const random = resumeRandom(world.state.random);
  const streams = inputs.map((input) => buildStream(random, world.clock.now(), input));
  commit(world, { streams, random: random.state() });
  return streams;
}

/**
 * Switches recording of future sessions on or off (interface 4.2); existing sessions keep their value.
 * @throws Problem 404 for an unknown stream; 400 for a session, or for a change while the stream is live.
 */
export function setRecord(
  world: WorldState,
  id: string,
  record: boolean,
  behaviours: Behaviours = usualBehaviours,
): void {
  commit(world, { streams: [switchedStream(world, id, record, behaviours)] });
}

/**
 * The stream with its `record` set; nothing is changed yet.
 * @throws Problem as {@link setRecord} does.
 */
export function switchedStream(
  world: WorldState,
  id: string,
  record: boolean,
  behaviours: Behaviours = usualBehaviours,
): StreamRecord {
  const stream = findChangeable(world, id, 'its record value cannot change');
  const row = record === stream.record ? 'refusal.live-repeat' : 'refusal.live-switch';
  if (behaviours[row] !== 'accepted') refuseLive(world, id, 'record', row);
  return { ...stream, record };
}

/**
 * Changes the name and further fields of a parent stream, and its record where the dialect breaks that
 * rule; returns the stream as it is then.
 * @throws Problem 404 for an unknown stream, 400 for a session.
 */
export function updateStream(
  world: WorldState,
  id: string,
  update: StreamUpdate,
  behaviours: Behaviours,
): StreamRecord {
  const record = switchByUpdate(update, breaksFor(world, behaviours));
  const found =
    record === undefined
      ? findChangeable(world, id, 'it cannot change')
      : switchedStream(world, id, record, behaviours);
  const stream = updatedStream(found, update, behaviours);
  commit(world, { streams: [stream] });
  return stream;
}

/**
 * Deletes a parent stream, and its sessions unless the behaviours leave them; returns the stream as it was.
 * @throws Problem 404 for an unknown stream; 400 for a session, or where a live stream is not deleted.
 */
export function deleteStream(
  world: WorldState,
  id: string,
  behaviours: Behaviours = usualBehaviours,
): StreamRecord {
  const stream = findChangeable(world, id, 'it cannot be deleted');
  if (behaviours['refusal.live-delete'] !== 'accepted') {
    refuseLive(world, id, 'delete', 'refusal.live-delete');
  }
  commit(world, deletionOf(world, stream, behaviours));
  return stream;
}

/** The change that deletes a stream; it keeps the stream's id and sessions where clients still see them. */
function deletionOf(
  world: WorldState,
  stream: StreamRecord,
  behaviours: Behaviours,
): Omit<Update, 'at'> {
  if (!remembersDeleted(behaviours)) return { deleted: [stream.id] };
  const streams = [{ ...stream, deletedAt: world.clock.now() }];
  if (behaviours['delete.leaves'] === 'nothing') return { deleted: [stream.id], streams };
  const live = world.state.records.liveSession(stream.id);
  return live === undefined ? { streams } : { streams, sessions: [endedSession(world, live)] };
}

const refusesIds = [
  'retrieveStream',
  'updateStream',
  'setRecord',
  'deleteStream',
  'listSessionsOfStream',
  'terminateStream',
  'retrieveSession',
] as const;

/** Whether a client can tell a deleted stream from one that never was. */
const remembersDeleted: (behaviours: Behaviours) => boolean = perBehaviours(
  false,
  (behaviours) =>
    behaviours['delete.leaves'] === 'sessions' ||
    refusesIds.some((name) => {
      const deleted = behaviours[`refusal.deleted-id.${name}`];
      return JSON.stringify(deleted) !== JSON.stringify(behaviours[`refusal.unknown-id.${name}`]);
    }),
);

function refuseSameNames(profiles: readonly Profile[]): void {
  const indexes = new Map<string, number>();
  profiles.forEach(({ name }, index) => {
    const first = indexes.get(name);
    if (first !== undefined) {
      throw new Problem('refused', {
        path: `profiles[${index}].name`,
        expected: 'a name of its own',
        got: `${describeValue(name)}, the name of profiles[${first}]`,
        row: 'create.equal-profiles',
      });
    }
    indexes.set(name, index);
  });
}
