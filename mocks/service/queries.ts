import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { type Page, type PageRequest, takePage } from '../state/ordered.ts';
import type { WorldState } from './world.ts';

/**
 * The parent stream, or the session (a historic stream object), of an id.
 * @throws Problem 404 when there is neither.
 */
export function findStream(world: WorldState, id: string): StreamRecord | SessionRecord {
  const { records } = world.state;
  return records.stream(id) ?? records.session(id) ?? unknown('stream', id);
}

/**
 * The session of an id.
 * @throws Problem 404 when there is none.
 */
export function findSession(world: WorldState, id: string): SessionRecord {
  return world.state.records.session(id) ?? unknown('session', id);
}

/** A page of the parent streams, newest first. */
export function listStreams(world: WorldState, page: PageRequest): Page<StreamRecord> {
  return takePage(world.state.records.streams, page, () => true);
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
  const { records } = world.state;
  const sessions = parentId === undefined ? records.sessions : records.sessionsOf(parentId);
  return takePage(sessions, page, (session) => record === undefined || session.record === record);
}

/**
 * The parent stream of an id, whose sessions can be listed.
 * @throws Problem 404 for an unknown id, and for a session's.
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

function unknown(kind: 'stream' | 'session', id: string): never {
  throw new Problem('unknown', {
    path: 'id',
    expected: `a ${kind} of this API key`,
    got: describeValue(id),
  });
}
