import { byAge } from '../../fixtures/world-records.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { type Page, recordsOf } from '../state/ordered.ts';
import { type ListRequest, takeChosen } from './chosen-records.ts';
import type { WorldState } from './world.ts';

/**
 * A page of the parent streams, newest first unless `page` says otherwise.
 * @throws Problem 422 for an unknown cursor.
 */
export function listStreams(world: WorldState, page: ListRequest): Page<StreamRecord> {
  return takeChosen(world, world.state.records.streams, page, () => true);
}

/**
 * A page of the parent streams and of the sessions that `keep` accepts, in one list by their age.
 * @throws Problem 422 for an unknown cursor.
 */
export function listStreamsAndSessions(
  world: WorldState,
  page: ListRequest,
  keep: Keep = () => true,
): Page<StreamRecord | SessionRecord> {
  const { records } = world.state;
  const sessions = recordsOf(records.sessions).filter(keep);
  const both = [...recordsOf(records.streams), ...sessions].toSorted(byAge);
  const rows = both.map((record, place) => ({ place, record }));
  return takeChosen(world, { rows, deleted: 0, end: rows.length }, page, () => true);
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
  page: ListRequest,
  keep: Keep = () => true,
): Page<SessionRecord> {
  const { records } = world.state;
  const sessions = parentId === undefined ? records.sessions : records.sessionsOf(parentId);
  return takeChosen(
    world,
    sessions,
    page,
    (session) => (record === undefined || session.record === record) && keep(session),
  );
}
