import { interfaceOperations, pageLimit } from '../../interface/operations.ts';
import type { Behaviours, RowId } from '../../interface/silent.ts';
import { largestAccepted } from '../../interface/silent-row.ts';
import { jsonTextResponse, type PlainResponse } from '../messages/response.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import type { ListRequest } from '../service/chosen-records.ts';
import type { Page } from '../state/ordered.ts';
import { type ListName, readChoice } from './choice.ts';

/** The rows about each list. */
const listRows = {
  listStreams: {
    size: 'list.page-size',
    order: 'list.order',
    unknownQuery: 'list.unknown-query.listStreams',
  },
  listSessionsOfStream: {
    size: 'sessions.page-size',
    order: 'sessions.order',
    unknownQuery: 'list.unknown-query.listSessionsOfStream',
  },
  listSessions: {
    size: 'sessions.page-size',
    order: 'sessions.order',
    unknownQuery: 'list.unknown-query.listSessions',
  },
} as const satisfies Record<ListName, Readonly<Record<'size' | 'order' | 'unknownQuery', RowId>>>;

/**
 * The page of a list that a request asks for.
 * @throws Problem 422 for a limit that is refused, or a query parameter that the list does not have.
 */
export function readPaging(url: URL, list: ListName, behaviours: Behaviours): ListRequest {
  const { searchParams } = url;
  const rows = listRows[list];
  if (behaviours[rows.unknownQuery] !== 'ignored') refuseUnknownQuery(url, list);
  const size = behaviours[rows.size];
  const usual = typeof size === 'number' ? size : Math.max(pageLimit.default, size.atLeast);
  const unknownCursor = behaviours['list.impossible-cursor'];
  return {
    limit: readLimit(searchParams.get('limit'), usual, behaviours),
    cursor: searchParams.get('cursor') ?? undefined,
    oldestFirst: behaviours[rows.order] === 'oldest-first',
    choice: readChoice(url, list, behaviours),
    unknownCursor: typeof unknownCursor === 'string' ? unknownCursor : undefined,
    looksAhead: behaviours['list.full-last-page'] === 'not',
  };
}

/**
 * Refuses what a list refuses in its query.
 * @throws Problem 422
 */
export function checkQuery(url: URL, list: ListName, behaviours: Behaviours): void {
  readPaging(url, list, behaviours);
  if (list === 'listSessionsOfStream') readRecordFilter(url, behaviours);
  if (list !== 'listSessions') return;
  readParentId(url, behaviours);
  readRecordOfAll(url, behaviours);
}

function readLimit(given: string | null, usual: number, behaviours: Behaviours): number {
  const { 'list.limit': use, 'list.impossible-limit': impossible } = behaviours;
  if (given === null || use === 'ignored') return usual;
  if (use !== 'works') throw refusedQuery('limit', 'no limit', given, 'list.limit');
  const most = largestAccepted(behaviours['list.largest-limit']);
  const limit = Number(given);
  const isPossible = /^\d+$/.test(given) && limit >= pageLimit.minimum;
  if (isPossible && limit <= most) return limit;
  if (!isPossible && impossible === 'ignored') return usual;
  const row = isPossible ? 'list.largest-limit' : 'list.impossible-limit';
  const range = `a whole number from ${pageLimit.minimum} to ${most}`;
  throw refusedQuery('limit', range, given, row);
}

function refuseUnknownQuery({ searchParams }: URL, list: ListName): void {
  const known = interfaceOperations[list].query?.map((parameter) => parameter.name) ?? [];
  for (const [key, value] of searchParams) {
    if (known.includes(key)) continue;
    const expected = `no parameters but ${known.join(', ')}`;
    throw refusedQuery(key, expected, value, listRows[list].unknownQuery);
  }
}

/**
 * Which sessions of a stream the query parameter `record` asks for; `undefined` for all.
 * @throws Problem 422 for a value that is refused.
 */
export function readRecordFilter(
  { searchParams }: URL,
  behaviours: Behaviours,
): boolean | undefined {
  const given = searchParams.get('record');
  if (given === '1') return true;
  const row = recordRows.get(given) ?? 'sessions.record-odd';
  const filter = behaviours[row];
  if (typeof filter === 'string') return recordValues[filter];
  throw refusedQuery('record', '1', given, row);
}

const recordRows: ReadonlyMap<string | null, `sessions.record-${'absent' | '0' | 'true'}`> =
  new Map([
    [null, 'sessions.record-absent'],
    ['true', 'sessions.record-true'],
    ['0', 'sessions.record-0'],
    ['false', 'sessions.record-0'],
  ] as const);

const recordValues = { recorded: true, unrecorded: false, all: undefined } as const;

/**
 * As {@link readRecordFilter}, for the list of all sessions.
 * @throws Problem 422 for a value that is refused.
 */
export function readRecordOfAll(url: URL, behaviours: Behaviours): boolean | undefined {
  const given = url.searchParams.get('record');
  const use = behaviours['sessions.record-of-all'];
  if (given === null || use === 'ignored') return undefined;
  if (use === 'works') return readRecordFilter(url, behaviours);
  throw refusedQuery('record', 'no record', given, 'sessions.record-of-all');
}

/**
 * The stream whose sessions the list of all is restricted to; `undefined` where it is not.
 * @throws Problem 422 where the query parameter is refused.
 */
export function readParentId({ searchParams }: URL, behaviours: Behaviours): string | undefined {
  const given = searchParams.get('parentId');
  const use = behaviours['sessions.parent-filter'];
  if (given === null || use === 'ignored') return undefined;
  if (use === 'works') return given;
  throw refusedQuery('parentId', 'no parentId', given, 'sessions.parent-filter');
}

function refusedQuery(name: string, expected: string, given: string | null, row: RowId): Problem {
  const got = describeValue(given);
  return new Problem('invalid', { path: `query ${name}`, expected, got, row });
}

/** The response with a page of a list; after a full one, it tells where the next page is. */
export function pageResponse<Item>(
  url: URL,
  { records, next }: Page<Item>,
  behaviours: Behaviours,
  write: (record: Item) => string,
): PlainResponse {
  const text = ['['];
  for (const record of records) text.push(text.length > 1 ? ',' : '', write(record));
  text.push(']');
  const told = behaviours['list.next'];
  if (next === undefined || told === 'not') return jsonTextResponse(200, text);
  if (told === 'x-next-cursor') return jsonTextResponse(200, text, { 'x-next-cursor': next });
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return jsonTextResponse(200, text, { link: `<${nextUrl.href}>; rel="next"` });
}
