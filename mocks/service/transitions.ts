import { resumeRandom } from '../../fixtures/random.ts';
import { buildSession } from '../../fixtures/sessions.ts';
import { buildStream } from '../../fixtures/streams.ts';
import type { NewStream, Profile, SessionRecord, StreamRecord } from '../../interface/types.ts';
import { effectOf } from '../faults/effects/effects.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { refuseRecords } from '../state/limits.ts';
import { findStream } from './queries.ts';
import { endingDuration } from './recording.ts';
import { commit, type WorldState } from './world.ts';

/**
 * Creates a parent stream (interface 4.1).
 * @throws Problem 400 when two profiles have one name, 429 when the mock is full.
 */
export function createStream(world: WorldState, input: NewStream): StreamRecord {
  return createStreams(world, [input])[0] as StreamRecord;
}

/** Creates all of several streams, or none, as {@link createStream} does one. */
export function createStreams(world: WorldState, inputs: readonly NewStream[]): StreamRecord[] {
  for (const { profiles = [] } of inputs) refuseTwins(profiles);
  refuseRecords(world.settings.room, inputs.length);
  const random = resumeRandom(world.state.random);
  const streams = inputs.map((input) => buildStream(random, world.clock.now(), input));
  commit(world, { streams, random: random.state() });
  return streams;
}

/**
 * Switches recording for future sessions (interface 4.2); those that exist keep theirs.
 * @throws Problem 404 for an unknown stream; 400 for a session, or for a change while live.
 */
export function setRecord(world: WorldState, id: string, record: boolean): void {
  commit(world, { streams: [switchedStream(world, id, record)] });
}

/** A stream as {@link setRecord} changes it, refused for the same reasons. */
export function switchedStream(world: WorldState, id: string, record: boolean): StreamRecord {
  const stream = changeableStream(world, id, 'its record value cannot change');
  if (record !== stream.record) refuseLive(world, id, 'record', 'stop it first');
  return { ...stream, record };
}

/**
 * Deletes a parent stream with its sessions.
 * @throws Problem 404 for an unknown stream; 400 for a session.
 */
export function deleteStream(world: WorldState, id: string): void {
  changeableStream(world, id, 'it cannot be deleted');
  commit(world, { deleted: [id] });
}

/**
 * Begins a session of a stream, as if its encoder had connected. With `duration`, in seconds, it
 * has ended as well and lasted that long.
 * @throws Problem 404 for an unknown stream; 400 for a session, or while the stream is live; 429 when
 * the mock is full.
 */
export function startSession(world: WorldState, id: string, duration?: number): SessionRecord {
  const stream = changeableStream(world, id, 'no encoder can connect to it');
  refuseLive(world, id, 'start');
  refuseRecords(world.settings.room, 1);
  const now = world.clock.now();
  const random = resumeRandom(world.state.random);
  const begun = buildSession(random, stream, now);
  const session =
    duration === undefined
      ? begun
      : { ...begun, endedAt: now, duration, ...faultyRecording(world, begun) };
  commit(world, { sessions: [session], random: random.state() });
  return session;
}

/**
 * Ends the live session of a stream, as if its encoder had disconnected.
 * @throws Problem 404 for an unknown stream; 400 for a session, or when the stream is not live.
 */
export function stopSession(world: WorldState, id: string): SessionRecord {
  changeableStream(world, id, 'no encoder can disconnect from it');
  const live = world.state.records.liveSession(id);
  if (live === undefined) {
    throw new Problem('refused', {
      path: 'stop',
      expected: 'a live stream',
      got: `stream ${id}, which is not live`,
    });
  }
  const now = world.clock.now();
  const duration = endingDuration(live, now);
  const session = { ...live, endedAt: now, duration, ...faultyRecording(world, live) };
  commit(world, { sessions: [session] });
  return session;
}

/** What a fault makes of the recording of a session that ends. */
export function faultyRecording(
  { faults }: WorldState,
  { record, parentId }: SessionRecord,
): Pick<SessionRecord, 'recordingStatus'> {
  const matched = record ? faults.take({ operation: undefined, id: parentId }) : undefined;
  const recordingStatus = matched && effectOf(matched.fault).recordingStatus;
  return recordingStatus === undefined ? {} : { recordingStatus };
}

/**
 * The parent stream of an id, which is to be changed.
 * @throws Problem 404 for an unknown id; 400, ending in `consequence`, for a session.
 */
export function changeableStream(world: WorldState, id: string, consequence: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw new Problem('refused', {
    path: 'id',
    expected: 'a parent stream',
    got: `session ${id} of stream ${found.parentId}`,
    advice: `a session is read-only, ${consequence}`,
  });
}

/**
 * Refuses what `key` asks of a stream while it is live.
 * @throws Problem 400, ending in `advice`.
 */
export function refuseLive(world: WorldState, id: string, key: string, advice?: string): void {
  const live = world.state.records.liveSession(id);
  if (live === undefined) return;
  throw new Problem('refused', {
    path: key,
    expected: 'a stream that is not live',
    got: `stream ${id} with live session ${live.id}`,
    ...(advice !== undefined && { advice }),
  });
}

function refuseTwins(profiles: readonly Profile[]): void {
  const seen = new Map<string, number>();
  profiles.forEach(({ name }, index) => {
    const twin = seen.get(name);
    if (twin !== undefined) {
      throw new Problem('refused', {
        path: `profiles[${index}].name`,
        expected: 'a name of its own',
        got: `${describeValue(name)}, the name of profiles[${twin}]`,
      });
    }
    seen.set(name, index);
  });
}
