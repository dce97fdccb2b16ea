import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { type Page, type PageRequest, takePage } from '../state/ordered.ts';
import type { WorldState } from './world.ts';

/**
 * The parent stream, or the session (a historic stream object), with an id.
 * @throws Problem 404 when there is neither.
 */
export function findStream(world: WorldState, id: string): StreamRecord | SessionRecord {
  const { records } = world.state;
  return records.stream(id) ?? records.session(id) ?? refuseUnknown('stream', id);
}

/**
 * The session with an id.
 * @throws Problem 404 when there is none.
 */
export function findSession(world: WorldState, id: string): SessionRecord {
  return world.state.records.session(id) ?? refuseUnknown('session', id);
}

/**
 * The parent stream whose sessions are listed.
 * @throws Problem 404 for an unknown id and for a session's.
 */
export function findParent(world: WorldState, id: string): StreamRecord {
  const found = findStream(world, id);
  if (!('parentId' in found)) return found;
  throw new Problem('unknown', {
    path: 'id',
    expected: 'a parent stream',
    got: `session ${id} of stream ${found.parentId}`,
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
  });
}

/**
 * Refuses a change of a stream that is live; `path` names the part of the request.
 * @throws Problem 400
 */
export function refuseLive(world: WorldState, id: string, path: string): void {
  const live = world.state.records.liveSession(id);
  if (live === undefined) return;
  throw new Problem('refused', {
    path,
    expected: 'a stream that is not live',
    got: `stream ${id} with live session ${live.id}`,
    advice: 'stop it first',
  });
}

/**
 * A page of the parent streams, newest first.
 * @throws Problem 422 for an unknown cursor.
 */
export function listStreams(world: WorldState, page: PageRequest): Page<StreamRecord> {
  return takePage(world.state.records.streams, page, () => true);
}

/** Which sessions a list shows; without a key, all. */
export interface SessionFilter {
  readonly parentId?: string | undefined;
  readonly record?: boolean | undefined;
}

/**
 * A page of the sessions, newest first.
 * @throws Problem 422 for an unknown cursor.
 */
export function listSessions(
  world: WorldState,
  { parentId, record }: SessionFilter,
  page: PageRequest,
): Page<SessionRecord> {
  const { records } = world.state;
  const sessions = parentId === undefined ? records.sessions : records.sessionsOf(parentId);
  return takePage(sessions, page, (session) => record === undefined || session.record === record);
}

function refuseUnknown(kind: 'stream' | 'session', id: string): never {
  throw new Problem('unknown', {
    path: 'id',
    expected: `a ${kind} of this API key`,
    got: describeValue(id),
  });
}
