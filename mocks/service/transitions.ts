import { buildSession } from '../../fixtures/sessions.ts';
import { buildStream } from '../../fixtures/streams.ts';
import type { NewStream, Profile, SessionRecord, StreamRecord } from '../../fixtures/types.ts';
import { describeValue, Problem } from '../problem.ts';
import { refuseBeyond } from '../state/limits.ts';
import { type Page, type PageRequest, takePage } from '../state/ordered.ts';
import { endingDuration } from './recording.ts';
import { exclusively, type WorldState } from './world.ts';

/**
 * Creates a parent stream (interface 4.1).
 * @throws Problem 400 when two profiles have one name.
 */
export function createStream(world: WorldState, input: NewStream): Promise<StreamRecord> {
  refuseTwins(input.profiles ?? []);
  return exclusively(world, () => {
    refuseBeyond('records', world.settings.room.records + 1);
    return world.collections.addStream(buildStream(world.random, world.clock.now(), input));
  });
}

/**
 * Switches recording for future sessions (interface 4.2); those that exist keep theirs.
 * @throws Problem 404 for an unknown stream; 400 for a session, or for a change while live.
 */
export function setRecord(world: WorldState, id: string, record: boolean): Promise<void> {
  return exclusively(world, () => {
    const stream = changeableStream(world, id, 'its record value cannot change');
    const live = world.collections.liveSession(id);
    if (live !== undefined && record !== stream.record) {
      throw new Problem(
        400,
        `record: expected a stream that is not live, got stream ${id} with live session ${live.id}; stop it first`,
      );
    }
    world.collections.setRecord(stream, record);
  });
}

/**
 * Deletes a parent stream with its sessions.
 * @throws Problem 404 for an unknown stream; 400 for a session.
 */
export function deleteStream(world: WorldState, id: string): Promise<void> {
  return exclusively(world, () => {
    world.collections.removeStream(changeableStream(world, id, 'it cannot be deleted'));
  });
}

/**
 * Begins a session of a stream, as if its encoder had connected. With `duration`, in seconds, it
 * has ended as well and lasted that long.
 * @throws Problem 404 for an unknown stream; 400 for a session, or while the stream is live.
 */
export function startSession(
  world: WorldState,
  id: string,
  duration?: number,
): Promise<SessionRecord> {
  return exclusively(world, async () => {
    const stream = changeableStream(world, id, 'no encoder can connect to it');
    const live = world.collections.liveSession(id);
    if (live !== undefined) {
      throw new Problem(
        400,
        `start: expected a stream that is not live, got stream ${id} with live session ${live.id}`,
      );
    }
    refuseBeyond('records', world.settings.room.records + 1);
    const now = world.clock.now();
    const session = buildSession(world.random, stream, now);
    return world.collections.addSession(
      duration === undefined
        ? session
        : { ...session, endedAt: now, duration, ...faultyRecording(world, session) },
    );
  });
}

/**
 * Ends the live session of a stream, as if its encoder had disconnected.
 * @throws Problem 404 for an unknown stream; 400 for a session, or when the stream is not live.
 */
export function stopSession(world: WorldState, id: string): Promise<SessionRecord> {
  return exclusively(world, () => {
    changeableStream(world, id, 'no encoder can disconnect from it');
    const live = world.collections.liveSession(id);
    if (live === undefined) {
      throw new Problem(400, `stop: expected a live stream, got stream ${id}, which is not live`);
    }
    const now = world.clock.now();
    world.collections.endSession(live, {
      endedAt: now,
      duration: endingDuration(live, now),
      ...faultyRecording(world, live),
    });
    return live;
  });
}

/** What a fault makes of the recording of a session that ends. */
function faultyRecording(
  { faults }: WorldState,
  { record, parentId }: SessionRecord,
): Pick<SessionRecord, 'recordingStatus'> {
  const met = record ? faults.take({ operation: undefined, id: parentId }) : undefined;
  if (met === undefined) return {};
  return { recordingStatus: met.fault.effect === 'recording-failed' ? 'failed' : 'waiting' };
}

/**
 * The parent stream, or the session (a historic stream object), of an id.
 * @throws Problem 404 when there is neither.
 */
export function findStream(world: WorldState, id: string): StreamRecord | SessionRecord {
  return world.collections.stream(id) ?? world.collections.session(id) ?? unknown('stream', id);
}

/**
 * The session of an id.
 * @throws Problem 404 when there is none.
 */
export function findSession(world: WorldState, id: string): SessionRecord {
  return world.collections.session(id) ?? unknown('session', id);
}

/** A page of the parent streams, newest first. */
export function listStreams(world: WorldState, page: PageRequest): Page<StreamRecord> {
  return takePage(world.collections.streams(), page, () => true);
}

/** Which sessions a list shows; without a key, all. */
export interface SessionFilter {
  readonly parentId?: string | undefined;
  readonly record?: boolean | undefined;
}

/** A page of the sessions, newest first. */
export function listSessions(
  world: WorldState,
  { parentId, record }: SessionFilter,
  page: PageRequest,
): Page<SessionRecord> {
  const { collections } = world;
  const sessions =
    parentId === undefined ? collections.sessions() : collections.sessionsOf(parentId);
  return takePage(sessions, page, (session) => record === undefined || session.record === record);
}

/**
 * The parent stream of an id, whose sessions can be listed.
 * @throws Problem 404 for an unknown id, and for a session's.
 */
export function findParent(world: WorldState, id: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw new Problem(
    404,
    `id: expected a parent stream, got session ${id} of stream ${found.parentId}`,
  );
}

/**
 * The parent stream of an id, which is to be changed.
 * @throws Problem 404 for an unknown id; 400, ending in `consequence`, for a session.
 */
function changeableStream(world: WorldState, id: string, consequence: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw new Problem(
    400,
    `id: expected a parent stream, got session ${id} of stream ${found.parentId}; a session is read-only, ${consequence}`,
  );
}

function unknown(kind: 'stream' | 'session', id: string): never {
  throw new Problem(404, `id: expected a ${kind} of this API key, got ${describeValue(id)}`);
}

function refuseTwins(profiles: readonly Profile[]): void {
  const seen = new Map<string, number>();
  profiles.forEach(({ name }, index) => {
    const twin = seen.get(name);
    if (twin !== undefined) {
      throw new Problem(
        400,
        `profiles[${index}].name: expected a name of its own, got ${describeValue(name)}, the name of profiles[${twin}]`,
      );
    }
    seen.set(name, index);
  });
}
