import { type Random, resumeRandom } from '../../fixtures/random.ts';
import type { NewStream, Profile, Stream, StreamRecord } from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { refuseRecords } from '../state/limits.ts';
import { createId, createPlaybackId, createStreamKey } from './ids.ts';
import { addMedia, copyProfiles } from './media-counts.ts';
import { findChangeable, refuseLive } from './queries.ts';
import { commit, type WorldState } from './world.ts';

/** A stream with new identifiers. `createdAt` is in milliseconds since 1970; an earlier time becomes 1970. */
export function buildStream(random: Random, createdAt: number, input: NewStream): StreamRecord {
  const id = createId(random);
  return {
    id,
    name: input.name,
    createdAt: Math.max(0, createdAt),
    profiles: input.profiles ?? [],
    streamKey: createStreamKey(random, id),
    playbackId: createPlaybackId(random, id),
    record: input.record ?? false,
  };
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
  return view;
}

/**
 * Creates a parent stream (interface 4.1).
 * @throws Problem 400 when two profiles have the same name, 429 when the mock is full.
 */
export function createStream(world: WorldState, input: NewStream): StreamRecord {
  return createStreams(world, [input])[0] as StreamRecord;
}

/**
 * Creates several streams as one change: all of them or none.
 * @throws Problem as {@link createStream} does.
 */
export function createStreams(world: WorldState, inputs: readonly NewStream[]): StreamRecord[] {
  for (const { profiles = [] } of inputs) refuseSameNames(profiles);
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
export function setRecord(world: WorldState, id: string, record: boolean): void {
  commit(world, { streams: [switchedStream(world, id, record)] });
}

/**
 * The stream with its `record` set; nothing is changed yet.
 * @throws Problem as {@link setRecord} does.
 */
export function switchedStream(world: WorldState, id: string, record: boolean): StreamRecord {
  const stream = findChangeable(world, id, 'its record value cannot change');
  if (record !== stream.record) refuseLive(world, id, 'record');
  return { ...stream, record };
}

/**
 * Deletes a parent stream with its sessions.
 * @throws Problem 404 for an unknown stream, 400 for a session.
 */
export function deleteStream(world: WorldState, id: string): void {
  findChangeable(world, id, 'it cannot be deleted');
  commit(world, { deleted: [id] });
}

function refuseSameNames(profiles: readonly Profile[]): void {
  const indexes = new Map<string, number>();
  profiles.forEach(({ name }, index) => {
    const first = indexes.get(name);
    if (first !== undefined) {
      throw new Problem('refused', {
        path: `profiles[${index}].name`,
        expected: 'a name of its own',
        got: `${describeValue(name)}, the name of profiles[${first}]`,
      });
    }
    indexes.set(name, index);
  });
}
