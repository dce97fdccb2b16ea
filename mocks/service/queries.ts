import type { Behaviours, RowId } from '../../interface/silent.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { recordingStatus } from './recording.ts';
import type { WorldState } from './world.ts';

/**
 * The parent stream, or the session (a historic stream object), with an id.
 * @throws Problem 404 when there is neither.
 */
export function findStream(world: WorldState, id: string): StreamRecord | SessionRecord {
  const { records } = world.state;
  return records.stream(id) ?? records.session(id) ?? refuseUnknown(world, 'stream', id);
}

/** Whether a stream was deleted and its id stays known. */
export function isDeleted(world: WorldState, id: string): boolean {
  return world.state.records.deletedStream(id) !== undefined;
}

/**
 * The session with an id.
 * @throws Problem 404 when there is none.
 */
export function findSession(world: WorldState, id: string): SessionRecord {
  return world.state.records.session(id) ?? refuseUnknown(world, 'session', id);
}

/**
 * The parent stream whose sessions are listed.
 * @throws Problem 404 for an unknown id and for a session's.
 */
export function findParent(world: WorldState, id: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw noParent(found);
}

/**
 * Refuses a session at the path of a stream, where the behaviours say so.
 * @throws Problem 404
 */
export function refuseSession(session: SessionRecord, behaviours: Behaviours): void {
  if (behaviours['refusal.session-id.retrieveStream'] !== 'session') throw noParent(session);
}

function noParent({ id, parentId }: SessionRecord): Problem {
  return new Problem('unknown', {
    path: 'id',
    expected: 'a parent stream',
    got: `session ${id} of stream ${parentId}`,
    row: 'session-id',
  });
}

/**
 * The parent stream that a request wants to change.
 * @throws Problem 404 for an unknown id; 400, ending in `consequence`, for a session.
 */
export function findChangeable(world: WorldState, id: string, consequence: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw new Problem('refused', {
    path: 'id',
    expected: 'a parent stream',
    got: `session ${id} of stream ${found.parentId}`,
    advice: `a session is read-only, ${consequence}`,
    row: 'session-id',
  });
}

/**
 * Refuses a change of a stream that is live; `path` names the part of the request, and `row` the silent
 * behaviour, if it is one.
 * @throws Problem 400
 */
export function refuseLive(world: WorldState, id: string, path: string, row?: RowId): void {
  const live = world.state.records.liveSession(id);
  if (live === undefined) return;
  throw new Problem('refused', {
    path,
    expected: 'a stream that is not live',
    got: `stream ${id} with live session ${live.id}`,
    advice: 'stop it first',
    row,
  });
}

/**
 * The stream with a playback id, or the session with an id whose recording is ready.
 * @throws Problem 404 when there is neither, or where the behaviours do not look up sessions.
 */
export function findPlayable(
  world: WorldState,
  id: string,
  behaviours: Behaviours,
): StreamRecord | SessionRecord {
  const { records } = world.state;
  const session = records.session(id);
  const isReady =
    session !== undefined && recordingStatus(world, session, world.clock.now()) === 'ready';
  if (isReady && behaviours['playback.session'] === 'recording') return session;
  const stream = records.streamByPlaybackId(id);
  if (stream !== undefined) return stream;
  throw new Problem('unknown', {
    path: 'playbackId',
    expected:
      'the playback id of a stream of this API key, or the id of a recorded session that is ready',
    got: describeValue(id),
    row: isReady ? 'playback.session' : 'unknown-id',
  });
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function refuseUnknown({ state }: WorldState, kind: 'stream' | 'session', id: string): never {
  const { records } = state;
  const isStream = kind === 'session' && records.stream(id) !== undefined;
  const other = isStream ? 'stream-id' : records.deletedStream(id) && 'deleted-id';
  throw new Problem('unknown', {
    path: 'id',
    expected: `a ${kind} of this API key`,
    got: describeValue(id),
    row: other ?? (uuid.test(id) ? 'unknown-id' : 'malformed-id'),
  });
}
