import type { Manners } from '../../interface/dialect.ts';
import type { ListOperation } from '../../interface/errors.ts';
import { interfaceOperations, pageLimit } from '../../interface/operations.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { jsonTextResponse, type PlainResponse } from '../messages/response.ts';
import type { ListRequest } from '../service/chosen-records.ts';
import { cellOf } from '../service/meet.ts';
import type { Page } from '../state/ordered.ts';
import { readChoice } from './choice.ts';
import { takeQuery } from './take-query.ts';

/**
 * The page of a list that a request asks for.
 * @throws Problem 422 for a limit that is refused, or a query parameter that the list does not have.
 */
export function readPaging(url: URL, list: ListOperation, manners: Manners): ListRequest {
  const { searchParams } = url;
  const { rows } = manners;
  if (searchParams.size > 0) meetUnknown(url, list, manners);
  const size = rows['list.page-size'][list];
  const usual = typeof size === 'number' ? size : Math.max(pageLimit.default, size.atLeast);
  const limit = readLimit(searchParams.get('limit'), usual, list, manners);
  const cursor = searchParams.get('cursor') ?? undefined;
  return {
    limit,
    cursor,
    oldestFirst: rows['list.order'][list] === 'oldest-first',
    choice: readChoice(url, list, manners),
    looksAhead: rows['list.full-last-page'] === 'not',
    cursors: rows['list.cursor'],
    unknownCursor: cursor === undefined ? undefined : unknownCursor(cursor, list, manners),
  };
}

/** What a cursor does that no page returned: it is ignored, or the page is empty; else it is refused. */
function unknownCursor(
  cursor: string,
  list: ListOperation,
  manners: Manners,
): ListRequest['unknownCursor'] {
  const cell = cellOf(manners, list, `query:cursor:${cursor === '' ? 'empty' : 'unknown'}`);
  if (cell === undefined || !('as' in cell)) return undefined;
  return cell.as === 'empty' ? 'empty' : 'ignored';
}

/**
 * Refuses what a list refuses in its query.
 * @throws Problem 422
 */
export function checkQuery(url: URL, list: ListOperation, manners: Manners): void {
  readPaging(url, list, manners);
  if (list !== 'listStreams') readRecordFilter(url, list, manners);
  if (list === 'listSessions') readParentId(url, manners, () => true);
}

function readLimit(
  given: string | null,
  usual: number,
  list: ListOperation,
  manners: Manners,
): number {
  const expected = `a whole number from ${pageLimit.minimum} to ${mostOf(list, manners)}`;
  const take = (text: string | null, kind?: string, measure?: number): string | undefined =>
    takeQuery(manners, list, { name: 'limit', text, expected, kind, measure });
  const text = take(given);
  const kind = text === undefined ? undefined : kindOfLimit(text);
  const right = kind === undefined ? text : take(given, kind);
  if (right === undefined) return usual;
  const limit = Number(right);
  return Number(take(right, 'large', limit) ?? usual);
}

function mostOf(list: ListOperation, manners: Manners): number {
  return cellOf(manners, list, 'query:limit:large')?.above ?? Number.POSITIVE_INFINITY;
}

/** What is wrong with a limit, beside its size. */
function kindOfLimit(text: string): string | undefined {
  if (text === '') return 'empty';
  if (/^-\d+$/.test(text)) return 'negative';
  if (/^\d+\.\d+$/.test(text)) return 'fraction';
  if (!/^\d+$/.test(text)) return 'text';
  return Number(text) === 0 ? 'zero' : undefined;
}

/** Meets the query parameters that a list does not have. */
function meetUnknown({ searchParams }: URL, list: ListOperation, manners: Manners): void {
  const known = interfaceOperations[list].query?.map(({ name }) => name) ?? [];
  const expected = `no parameters but ${known.join(', ')}`;
  for (const [sent, text] of searchParams) {
    if (!known.includes(sent)) takeQuery(manners, list, { name: 'unknown', sent, text, expected });
  }
}

/**
 * Which sessions the query parameter `record` asks for; `undefined` for all.
 * @throws Problem 422 for a value that is refused.
 */
export function readRecordFilter(
  { searchParams }: URL,
  list: 'listSessionsOfStream' | 'listSessions',
  manners: Manners,
): boolean | undefined {
  const filters = manners.rows['list.record'];
  const query = { name: 'record', text: searchParams.get('record'), expected: '1' };
  const text = takeQuery(manners, list, query);
  if (text === '1') return true;
  if (text === undefined) {
    if (list === 'listSessions') return undefined;
    if (query.text === null) takeQuery(manners, list, { ...query, text: '', kind: 'missing' });
    return recordValues[filters.absent];
  }
  const kind = kindOfRecord.get(text) ?? 'other';
  takeQuery(manners, list, { ...query, kind: kind === '0' ? 'zero' : kind });
  return recordValues[filters[kind]];
}

const kindOfRecord: ReadonlyMap<string, keyof Behaviours['list.record']> = new Map([
  ['true', 'true'],
  ['0', '0'],
  ['false', '0'],
  ['', 'empty'],
] as const);

const recordValues = { recorded: true, unrecorded: false, all: undefined } as const;

/**
 * The stream whose sessions the list of all is restricted to; `undefined` where it is not. `isKnown` says
 * whether there is a stream with an id.
 * @throws Problem 422 where the query parameter is refused.
 */
export function readParentId(
  { searchParams }: URL,
  manners: Manners,
  isKnown: (id: string) => boolean,
): string | undefined {
  const query = { name: 'parentId', text: searchParams.get('parentId'), expected: 'a stream' };
  const given = takeQuery(manners, 'listSessions', query);
  if (given === undefined || isKnown(given)) return given;
  return takeQuery(manners, 'listSessions', { ...query, kind: given === '' ? 'empty' : 'unknown' });
}

/** The response with a page of a list; after a full one, it tells where the next page is. */
export function pageResponse<Item>(
  url: URL,
  list: ListOperation,
  { records, next }: Page<Item>,
  { rows }: Manners,
  write: (record: Item) => string,
): PlainResponse {
  const key = list === 'listSessionsOfStream' ? null : rows['answer.wrapped'][list];
  const text = [key === null ? '[' : `{${JSON.stringify(key)}:[`];
  for (const record of records) text.push(text.length > 1 ? ',' : '', write(record));
  text.push(key === null ? ']' : ']}');
  const told = rows['list.next'];
  if (next === undefined || told === 'not') return jsonTextResponse(200, text);
  if (told === 'x-next-cursor') return jsonTextResponse(200, text, { 'x-next-cursor': next });
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return jsonTextResponse(200, text, { link: `<${nextUrl.href}>; rel="next"` });
}
