import { byAge } from '../../fixtures/world-records.ts';
import type { Behaviours, RowId } from '../../interface/silent.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { type Page, type PageRequest, recordsOf, takePage } from '../state/ordered.ts';
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
 * A page of the parent streams, newest first unless `page` says otherwise.
 * @throws Problem 422 for an unknown cursor.
 */
export function listStreams(world: WorldState, page: PageRequest): Page<StreamRecord> {
  return takePage(world.state.records.streams, page, () => true);
}

/**
 * A page of the parent streams and of the sessions that `keep` accepts, in one list by their age.
 * @throws Problem 422 for an unknown cursor.
 */
export function listStreamsAndSessions(
  { state: { records } }: WorldState,
  page: PageRequest,
  keep: Keep = () => true,
): Page<StreamRecord | SessionRecord> {
  const sessions = recordsOf(records.sessions).filter(keep);
  const both = [...recordsOf(records.streams), ...sessions].toSorted(byAge);
  const rows = both.map((record, place) => ({ place, record }));
  return takePage({ rows, deleted: 0, end: rows.length }, page, () => true);
}

/** Which sessions a list shows; without a key, all. */
export interface SessionFilter {
  readonly parentId?: string | undefined;
  readonly record?: boolean | undefined;
}

type Keep = (session: SessionRecord) => boolean;

/**
 * A page of the sessions that `keep` accepts, newest first unless `page` says otherwise.
 * @throws Problem 422 for an unknown cursor.
 */
export function listSessions(
  world: WorldState,
  { parentId, record }: SessionFilter,
  page: PageRequest,
  keep: Keep = () => true,
): Page<SessionRecord> {
  const { records } = world.state;
  const sessions = parentId === undefined ? records.sessions : records.sessionsOf(parentId);
  return takePage(
    sessions,
    page,
    (session) => (record === undefined || session.record === record) && keep(session),
  );
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
