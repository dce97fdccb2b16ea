import { byAge, type SessionRecord, type StreamRecord } from '../../fixtures/world-records.ts';
import type { NamedBehaviour } from '../../interface/dialect/behaviours.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { inOrder, type Ordered, recordsOf } from '../state/ordered.ts';
import { type Page, type PageRequest, takePage } from '../state/pages.ts';
import { plainSession, plainStream } from './views.ts';
import type { OpenWorld, Requester } from './world.ts';

/**
 * A page of the parent streams, newest first unless `page` says otherwise. If the dialect shows sessions among
 * them, those that the list of all sessions shows are sorted in by age, unless `streamsOnly` is true.
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
  const listedSessions = recordsOf(sessions).filter(isListed(world, 'listSessions', dialect));
  const records = [...recordsOf(streams), ...listedSessions].toSorted(byAge);
  const ordered = inOrder(records, ({ createdAt }) => createdAt);
  return takeChosenPage(requester, ordered, page, () => true);
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
  const isListedNow = isListed(world, list, dialect);
  const isWanted = (session: SessionRecord): boolean =>
    (record === undefined || session.record === record) && isListedNow(session);
  return takeChosenPage(requester, sessions, page, isWanted);
}

/** Whether a list shows a session now. */
function isListed(
  world: OpenWorld,
  list: SessionList,
  { behaviours }: ResolvedDialect,
): (session: SessionRecord) => boolean {
  const { 'sessions.appear': appears, 'time.listed': delay } = behaviours;
  const appear = appears[list];
  if (appear === 'at-start' && delay === 0) return () => true;
  const now = world.clock.now();
  return (session) => now >= appearance(world, session, appear) + delay;
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

type FieldValue = string | number | boolean | undefined;

/** Which records a client wants, and in which order. */
export interface Choice {
  /** All of them must match. A text for `name` may be any part of the name, in any letter case. */
  readonly filters: readonly { readonly id: string; readonly value: string | number | boolean }[];
  /** The first field in which two records differ decides. Without fields, the list has its default order. */
  readonly order: readonly { readonly field: string; readonly largestFirst: boolean }[];
}

/** Which page of a list a client asks for, and which of its records. */
export interface ListRequest extends PageRequest {
  readonly choice?: Choice | undefined;
}

/**
 * Takes a page of the records that `keep` accepts and the request chooses, in the order that it asks for.
 * @throws Problem 422 for a cursor that no page returned.
 */
function takeChosenPage<Item extends StreamRecord | SessionRecord>(
  requester: Requester,
  ordered: Ordered<Item>,
  request: ListRequest,
  keep: (record: Item) => boolean,
): Page<Item> {
  const { choice } = request;
  if (choice === undefined) return takePage(ordered, request, keep);
  const read = (record: Item): FieldReader => readFieldsOf(requester, record);
  const isChosen = (record: Item): boolean =>
    keep(record) && passesFilters(choice.filters, () => read(record));
  if (choice.order.length === 0) return takePage(ordered, request, isChosen);
  const records = sortRecords(recordsOf(ordered).filter(isChosen), choice.order, read);
  return takePage(inOrder(records), { ...request, oldestFirst: true }, () => true);
}

/** Reads the value of a field, or that within it if it is an object with a key `value`. */
type FieldReader = (field: string) => FieldValue;

function readFieldsOf(requester: Requester, record: StreamRecord | SessionRecord): FieldReader {
  const view: Readonly<Record<string, unknown>> = {
    ...('parentId' in record
      ? plainSession(requester, record)
      : plainStream(requester.world, record)),
  };
  return (field) => {
    const value = Object.hasOwn(view, field) ? view[field] : undefined;
    const isWrapped = typeof value === 'object' && value !== null && 'value' in value;
    return (isWrapped ? value.value : value) as FieldValue;
  };
}

function passesFilters(filters: Choice['filters'], read: () => FieldReader): boolean {
  if (filters.length === 0) return true;
  const readValue = read();
  return filters.every(({ id, value }) => passesFilter(id, readValue(id), value));
}

function passesFilter(field: string, value: FieldValue, wanted: NonNullable<FieldValue>): boolean {
  if (field !== 'name') return value === wanted;
  return String(value).toLowerCase().includes(String(wanted).toLowerCase());
}

/** Records that are equal in all fields are sorted by age, in the direction of the last field. */
function sortRecords<Item>(
  records: readonly Item[],
  order: Choice['order'],
  read: (record: Item) => FieldReader,
): Item[] {
  const keyed = records.map((record) => {
    const readValue = read(record);
    return { record, keys: order.map(({ field }) => readValue(field)) };
  });
  if (order.at(-1)?.largestFirst) keyed.reverse();
  keyed.sort((left, right) => {
    for (const [index, { largestFirst }] of order.entries()) {
      const difference = compareValues(left.keys[index], right.keys[index]);
      if (difference !== 0) return largestFirst ? -difference : difference;
    }
    return 0;
  });
  return keyed.map(({ record }) => record);
}

/** An absent value is the smallest. */
function compareValues(left: FieldValue, right: FieldValue): number {
  if (left === right) return 0;
  return right !== undefined && (left === undefined || left < right) ? -1 : 1;
}
