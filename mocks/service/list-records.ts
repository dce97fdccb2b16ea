import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { NamedBehaviour } from '../../interface/dialect/behaviours.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { mergeOrdered, type Ordered } from '../state/ordered.ts';
import { newestFirst, oldestFirst, type Page, type PageRequest, takePage } from '../state/pages.ts';
import { type Choice, chosenOrder, passesFilters } from './chosen-order.ts';
import { isOfOthers } from './whole-world.ts';
import type { OpenWorld, Requester } from './world.ts';

/**
 * A page of the parent streams, newest first unless `page` says otherwise. If the dialect shows sessions among
 * them, those that the list of all sessions shows are sorted in by time, unless `streamsOnly` is true.
 * @throws Problem 422 for an unknown cursor.
 */
export function listStreams(
  requester: Requester,
  page: ListRequest,
  streamsOnly: boolean,
): Page<StreamRecord | SessionRecord> {
  const { world, dialect } = requester;
  const { streams, sessions } = world.state.records;
  if (streamsOnly || dialect.behaviours['list.sessions-among-streams'] === 'none') {
    return takeChosenPage(requester, streams, page, () => true);
  }
  const isListedNow = isListed(world, 'listSessions', dialect);
  const merged = mergeOrdered<StreamRecord | SessionRecord>(streams, sessions);
  return takeChosenPage(
    requester,
    merged,
    page,
    (record) => !('parentId' in record) || isListedNow(record),
  );
}

/** Which sessions a client wants. A key that is absent selects all. */
export interface SessionsRequest {
  readonly parentId?: string | undefined;
  readonly record?: boolean | undefined;
  readonly page: ListRequest;
}

/** The lists that show sessions only. */
export type SessionList = 'listSessionsOfStream' | 'listSessions';

/**
 * A page of the sessions that a list shows now, newest first unless `page` says otherwise.
 * @throws Problem 422 for an unknown cursor.
 */
export function listSessions(
  requester: Requester,
  list: SessionList,
  { parentId, record, page }: SessionsRequest,
): Page<SessionRecord> {
  const { world, dialect } = requester;
  const { records } = world.state;
  const sessions = parentId === undefined ? records.sessions : records.sessionsOf(parentId);
  const isListedNow = isListed(world, list, dialect, record);
  const isWanted = (session: SessionRecord): boolean =>
    (record === undefined || session.record === record) && isListedNow(session);
  return takeChosenPage(requester, sessions, page, isWanted);
}

/** Whether a list shows a session now. */
function isListed(
  world: OpenWorld,
  list: SessionList,
  { behaviours }: ResolvedDialect,
  record: boolean | undefined = undefined,
): (session: SessionRecord) => boolean {
  const { 'sessions.appear': appears, 'time.listed': delay } = behaviours;
  const appear = appears[list];
  const appearRecorded = record === true ? appears.recordedOnly : 'at-start';
  if (appear === 'at-start' && appearRecorded === 'at-start' && delay === 0) return () => true;
  const now = world.clock.now();
  return (session) => {
    const times = [appear, appearRecorded].map((when) => appearance(world, session, when));
    return now >= Math.max(...times) + delay;
  };
}

/** When a session appears in lists, in milliseconds since 1970; infinity if that is not known yet. */
function appearance(
  world: OpenWorld,
  session: SessionRecord,
  appear: NamedBehaviour<'sessions.appear'>,
): number {
  if (appear === 'at-start') return session.createdAt;
  const { endedAt = Number.POSITIVE_INFINITY, record, recordingStatus: fixed } = session;
  if (appear === 'at-end' || !record) return endedAt;
  if (fixed === 'waiting') return Number.POSITIVE_INFINITY;
  return fixed === undefined ? endedAt + world.settings.recordingDelay : endedAt;
}

/** Which page of a list a client asks for, and which of its records. */
export interface ListRequest extends PageRequest {
  readonly oldestFirst?: boolean;
  readonly choice?: Choice | undefined;
}

/**
 * Takes a page of the records that `isWanted` accepts and the request chooses, in the order that it asks for.
 * @throws Problem 422 for a cursor that no page returned.
 */
function takeChosenPage<Item extends StreamRecord | SessionRecord>(
  requester: Requester,
  ordered: Ordered<Item>,
  request: ListRequest,
  isWanted: (record: Item) => boolean,
): Page<Item> {
  const { world, isTester } = requester;
  const { choice } = request;
  // Testers do not see what others have in the same account.
  const keep =
    !isTester || world.settings.others === undefined
      ? isWanted
      : (record: Item) => !isOfOthers(world, record.id) && isWanted(record);
  const byTime = request.oldestFirst ? oldestFirst : newestFirst;
  if (choice === undefined) return takePage(byTime(ordered), request, keep);
  const isChosen = (record: Item): boolean =>
    keep(record) && passesFilters(requester, choice.filters, record);
  if (choice.order.length === 0) return takePage(byTime(ordered), request, isChosen);
  const entries = ordered.entries.filter(({ record, isRemoved }) => !isRemoved && isChosen(record));
  return takePage(chosenOrder(requester, entries, choice.order), request, () => true);
}
