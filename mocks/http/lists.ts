import * as z from 'zod';
import type { Manners } from '../../interface/dialect.ts';
import type { ListOperation } from '../../interface/errors.ts';
import { interfaceOperations, pageLimit } from '../../interface/operations.ts';
import type { Behaviours, Envelope } from '../../interface/silent.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { jsonTextResponse, type PlainResponse } from '../messages/response.ts';
import { type Choice, choosableFields, type ListRequest } from '../service/lists.ts';
import { cellOf, meet } from '../service/meet.ts';
import { isUuid } from '../state/ids.ts';
import type { Page } from '../state/ordered.ts';

/** A query parameter as it was sent. */
interface Parameter {
  readonly name: string;
  /** Its value; null where it was not sent. */
  readonly text: string | null;
  readonly expected: string;
  /** Its own name, where the list has no such parameter. */
  readonly sent?: string;
}

/**
 * Meets a query parameter that a list may not have, or what is wrong with its value, which is its `kind`:
 * returns the value with which to go on; `undefined` where there is none, or it is dropped.
 * @throws Problem 422 where it is refused
 */
function take(
  manners: Manners,
  list: ListOperation,
  { name, text, expected, sent = name }: Parameter,
  kind = 'given',
  measure?: number,
): string | undefined {
  if (text === null) return undefined;
  const error = `query:${name}:${kind}`;
  const problem = () =>
    new Problem('invalid', { path: `query ${sent}`, expected, got: describeValue(text), error });
  // A number can be rounded, which a text cannot.
  const value = kind === 'fraction' || kind === 'suffix' ? Number.parseFloat(text) : text;
  const taken = meet(manners, list, { error, measure, problem }, value);
  return taken === undefined ? undefined : String(taken);
}

/**
 * The page of a list that a request asks for.
 * @throws Problem 422 for a limit that is refused, or a query parameter that the list does not have.
 */
export function readPaging(url: URL, list: ListOperation, manners: Manners): ListRequest {
  const { searchParams } = url;
  const { rows } = manners;
  if (searchParams.size > 0) meetUnknown(searchParams, list, manners);
  const cursor = searchParams.get('cursor') ?? undefined;
  return {
    limit: readLimit(searchParams.get('limit'), list, manners),
    cursor,
    oldestFirst: rows['list.order'][list] === 'oldest-first',
    choice: readChoice(searchParams, list, manners),
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

function readLimit(text: string | null, list: ListOperation, manners: Manners): number {
  const size = manners.rows['list.page-size'][list];
  const usual = typeof size === 'number' ? size : Math.max(pageLimit.default, size.atLeast);
  const most = cellOf(manners, list, 'query:limit:large')?.above ?? Number.POSITIVE_INFINITY;
  const expected = `a whole number from ${pageLimit.minimum} to ${most}`;
  const limit = { name: 'limit', text, expected };
  const given = take(manners, list, limit);
  const kind = given === undefined ? undefined : kindOfLimit(given);
  const right = kind === undefined ? given : take(manners, list, limit, kind);
  if (right === undefined) return usual;
  const number = Number(right);
  return Number(take(manners, list, { ...limit, text: right }, 'large', number) ?? usual);
}

/** What is wrong with a limit, beside its size. */
function kindOfLimit(text: string): string | undefined {
  if (text === '') return 'empty';
  if (/^-\d+$/.test(text)) return 'negative';
  if (/^\d+\.\d+$/.test(text)) return 'fraction';
  if (/^\d+\D/.test(text)) return 'suffix';
  if (!/^\d+$/.test(text)) return 'text';
  return Number(text) === 0 ? 'zero' : undefined;
}

/** Meets the query parameters that a list does not have. */
function meetUnknown(query: URLSearchParams, list: ListOperation, manners: Manners): void {
  const known = interfaceOperations[list].query?.map(({ name }) => name) ?? [];
  const expected = `no parameters but ${known.join(', ')}`;
  for (const [sent, text] of query) {
    if (!known.includes(sent)) take(manners, list, { name: 'unknown', sent, text, expected });
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
  const record = { name: 'record', text: searchParams.get('record'), expected: '1' };
  const text = take(manners, list, record);
  if (text === '1') return true;
  if (text === undefined) {
    if (list === 'listSessions') return undefined;
    if (record.text === null) take(manners, list, { ...record, text: '' }, 'missing');
    return recordValues[filters.absent];
  }
  const kind = kindOfRecord.get(text) ?? 'other';
  take(manners, list, record, kind === '0' ? 'zero' : kind);
  return recordValues[filters[kind]];
}

const kindOfRecord: ReadonlyMap<string, keyof Behaviours['list.record']> = new Map([
  ['true', 'true'],
  ['0', '0'],
  ['false', 'false'],
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
  const parent = { name: 'parentId', text: searchParams.get('parentId'), expected: 'a stream' };
  const given = take(manners, 'listSessions', parent);
  if (given === undefined || isKnown(given)) return given;
  if (given === '') return take(manners, 'listSessions', parent, 'empty');
  return take(manners, 'listSessions', parent, isUuid(given) ? 'unknown' : 'malformed');
}

/** The JSON before and after a result that is in an object. */
export function aroundResult(envelope: Envelope): readonly [before: string, after: string] {
  if (envelope === null) return ['', ''];
  const [before = '', after = ''] = JSON.stringify(envelope).split('"{result}"');
  return [before, after];
}

/** The response with a page of a list; after a full one, it tells where the next page is. */
export function pageResponse<Item>(
  url: URL,
  list: ListOperation,
  { records, next }: Page<Item>,
  { rows }: Manners,
  write: (record: Item) => string,
): PlainResponse {
  const envelope = list === 'listSessionsOfStream' ? null : rows['answer.wrapped'][list];
  const [before, after] = aroundResult(envelope);
  const text = [`${before}[`];
  for (const record of records) text.push(text.length > 1 ? ',' : '', write(record));
  text.push(`]${after}`);
  const told = rows['list.next'][list];
  if (next === undefined || told === 'not') return jsonTextResponse(200, text);
  if (told === 'x-next-cursor') return jsonTextResponse(200, text, { 'x-next-cursor': next });
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return jsonTextResponse(200, text, { link: `<${nextUrl.href}>; rel="next"` });
}

const field = z.enum(choosableFields);
const filters = z.array(
  z.strictObject({ id: field, value: z.union([z.string(), z.number(), z.boolean()]) }),
);
const order = z.array(z.strictObject({ field, largestFirst: z.boolean() }));
const fields = choosableFields.join(', ');

/** How each query parameter chooses records; a text that says nothing is `undefined`. */
const readers: Readonly<
  Record<string, { readonly expected: string; read(text: string): Partial<Choice> | undefined }>
> = {
  active: {
    expected: 'true or false',
    read(text) {
      if (text === 'false') return {};
      return text === 'true' ? { filters: [{ id: 'isActive', value: true }] } : undefined;
    },
  },
  order: {
    expected: `fields such as createdAt-true, each one of ${fields} with -true or -false`,
    read(text) {
      const parts = text.split(',').map((part) => /^(\w+)-(true|false)$/.exec(part) ?? []);
      const keys = parts.map(([, name, largest]) => ({
        field: name,
        largestFirst: largest === 'true',
      }));
      const found = order.safeParse(keys);
      return found.success ? { order: found.data } : undefined;
    },
  },
  filters: {
    expected: `JSON such as [{"id":"record","value":true}], each id one of ${fields}`,
    read(text) {
      try {
        return { filters: filters.parse(JSON.parse(text)) };
      } catch {
        return undefined;
      }
    },
  },
};

/**
 * Which records of a list a request chooses, and in which order; `undefined` where it says nothing.
 * @throws Problem 422 for a value that says nothing the mock knows, or a parameter that is refused.
 */
function readChoice(
  query: URLSearchParams,
  list: ListOperation,
  manners: Manners,
): Choice | undefined {
  if (query.size === 0) return undefined;
  const given = Object.entries(readers).flatMap(([name, { expected, read }]) => {
    const parameter = { name, text: query.get(name), expected };
    const text = take(manners, list, parameter);
    if (text === undefined) return [];
    const choice = read(text);
    if (choice !== undefined) return choice;
    const taken = take(manners, list, parameter, text === '' ? 'empty' : 'other');
    // A text that is kept is taken for true.
    return (taken !== undefined && read('true')) || [];
  });
  if (given.length === 0) return undefined;
  return {
    filters: given.flatMap((choice) => choice.filters ?? []),
    order: given.flatMap((choice) => choice.order ?? []),
  };
}
