import * as z from 'zod';
import type { Behaviours } from '../../interface/dialect/behaviours.ts';
import { isRefusal } from '../../interface/dialect/cells.ts';
import type { ErrorIdOf, ListOperation } from '../../interface/dialect/errors.ts';
import type { Cells } from '../../interface/dialect/matrix.ts';
import type { ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { interfaceOperations, pageLimit } from '../../interface/operations.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { acceptOrRefuse, acceptValue } from '../service/accept-or-refuse.ts';
import type { Choice } from '../service/chosen-order.ts';
import type { ListRequest, SessionsRequest } from '../service/list-records.ts';
import { isUuid } from '../state/ids.ts';
import type { Site } from './stages.ts';

/** The query of a request for a list. */
interface Query {
  readonly url: URL;
  readonly dialect: ResolvedDialect;
  readonly endpoint: ListOperation;
  readonly cells: Cells;
}

/** What a request for a list asks for. */
export interface ListQuery extends SessionsRequest {
  /** Whether the list of streams leaves out the sessions that it would show. */
  readonly streamsOnly: boolean;
}

/**
 * Reads the query of a request for a list.
 * @throws Problem 422 for a query parameter, or a value of one, that is refused.
 */
export function readListQuery(dialect: ResolvedDialect, url: URL, list: ListOperation): ListQuery {
  const parameters = url.searchParams;
  const query: Query = { url, dialect, endpoint: list, cells: dialect.cells[list] };
  if (parameters.size > 0) {
    checkUnknownParameters(query);
    checkRepeatedParameters(query);
  }
  return {
    page: readPaging(query),
    record: list === 'listStreams' ? undefined : readRecordFilter(query),
    parentId: list === 'listSessions' ? acceptParameter(query, parentIdOf(url)) : undefined,
    streamsOnly: /^(1|true)$/.test(parameters.get('streamsonly') ?? ''),
  };
}

/** A query parameter as it was sent. */
interface Parameter {
  readonly name: string;
  /** The error of sending it at all. */
  readonly given: ErrorIdOf<'query'>;
  /** Its value; null if it was not sent. */
  readonly sentValue: string | null;
  readonly expected: string;
}

/**
 * Accepts or refuses a query parameter that has an error. Returns the value to continue with, or `undefined` if there is
 * none or it is dropped.
 * @throws Problem 422 if it is refused.
 */
function acceptParameter(
  query: Pick<Query, 'cells'>,
  { name, given, sentValue, expected }: Parameter,
  error: ErrorIdOf<'query'> = given,
  measure?: number,
): string | undefined {
  if (sentValue === null) return undefined;
  // A number can be truncated, but a text cannot.
  const isNumber = error === 'query:limit:fraction' || error === 'query:limit:suffix';
  const value = isNumber ? Number.parseFloat(sentValue) : sentValue;
  const problem = () =>
    new Problem('invalid', { path: `query ${name}`, expected, got: describeValue(sentValue) });
  const accepted = acceptValue(query.cells, error, value, problem, measure);
  return accepted === undefined ? undefined : String(accepted);
}

/** Accepts or refuses the query parameters of an operation that has none. */
export function acceptNoParameters({ url, plan }: Site): void {
  if (url.search === '') return;
  for (const [name, sentValue] of url.searchParams) {
    const expected = 'no parameters';
    acceptParameter(plan, { name, given: 'query:unknown:given', sentValue, expected });
  }
}

/** Accepts or refuses parameters that are given twice, of which the first counts. */
function checkRepeatedParameters({ url, cells }: Query): void {
  const repeated = firstRepeated(url.searchParams.keys());
  if (repeated === undefined) return;
  const issue = { path: `query ${repeated}`, expected: 'one such parameter', got: 'several' };
  acceptOrRefuse(cells, 'query:repeated', () => new Problem('invalid', issue));
}

/** The first text that has come before; `undefined` if all differ. A client may send thousands. */
function firstRepeated(texts: Iterable<string>): string | undefined {
  const seen = new Set<string>();
  for (const text of texts) {
    if (seen.has(text)) return text;
    seen.add(text);
  }
  return undefined;
}

/** Accepts or refuses the query parameters that a list does not have. */
function checkUnknownParameters(query: Query): void {
  const knownNames = interfaceOperations[query.endpoint].query?.map(({ name }) => name) ?? [];
  const expected = `no parameters but ${knownNames.join(', ')}`;
  const among = query.dialect.behaviours['list.sessions-among-streams'];
  const hasStreamsOnly = query.endpoint === 'listStreams' && among !== 'none';
  for (const [name, sentValue] of query.url.searchParams) {
    const isKnown = knownNames.includes(name) || (name === 'streamsonly' && hasStreamsOnly);
    if (!isKnown)
      acceptParameter(query, { name, given: 'query:unknown:given', sentValue, expected });
  }
}

function readPaging(query: Query): ListRequest {
  const { url, endpoint: list, dialect } = query;
  const { behaviours } = dialect;
  const parameters = url.searchParams;
  const cursor = parameters.get('cursor') ?? undefined;
  const choice = parameters.size === 0 ? undefined : readChoice(query);
  return {
    limit: readLimit(query),
    cursor,
    oldestFirst: behaviours['list.order'][list] === 'oldest-first',
    choice: behaviours['list.order'][list] === 'last-seen-first' ? byLastSeen(choice) : choice,
    looksAhead: behaviours['list.full-last-page'] === 'no',
    cursors: behaviours['list.cursor'],
    unknownCursor: cursor === undefined ? undefined : unknownCursor(query, cursor),
  };
}

/** A choice in which what was live last comes first, unless the client asks for another order. */
function byLastSeen({ filters, order }: Choice = { filters: [], order: [] }): Choice {
  const fields = ['lastSeen', 'createdAt'].map((field) => ({ field, largestFirst: true }));
  return { filters, order: order.length > 0 ? order : fields };
}

/** What happens to a cursor that no page returned: it is ignored, leads to an empty page, or is refused. */
function unknownCursor({ cells }: Query, cursor: string): ListRequest['unknownCursor'] {
  const cell = cells[cursor === '' ? 'query:cursor:empty' : 'query:cursor:unknown'];
  if (isRefusal(cell)) return cell;
  return 'as' in cell && cell.as === 'empty' ? 'empty' : 'ignored';
}

function readLimit(query: Query): number {
  const { url, endpoint: list, dialect } = query;
  const size = dialect.behaviours['list.page-size'][list];
  const pageSize = size === 'all' ? Number.POSITIVE_INFINITY : size;
  const sentValue = url.searchParams.get('limit');
  if (sentValue === null) return pageSize;
  const maximum = query.cells['query:limit:large'].above ?? Number.POSITIVE_INFINITY;
  const expected = `a whole number from ${pageLimit.minimum} ${maximum === Number.POSITIVE_INFINITY ? 'up' : `to ${maximum}`}`;
  const limit = { name: 'limit', given: 'query:limit:given', sentValue, expected } as const;
  const accepted = acceptParameter(query, limit);
  const error = accepted === undefined ? undefined : errorOfLimit(accepted);
  const wholeLimit = error === undefined ? accepted : acceptParameter(query, limit, error);
  // Truncating a fraction may have made it zero.
  const positiveLimit =
    wholeLimit === '0' ? acceptParameter(query, limit, 'query:limit:zero') : wholeLimit;
  if (positiveLimit === undefined) return pageSize;
  const checkedLimit = { ...limit, sentValue: positiveLimit };
  const measure = Number(positiveLimit);
  return Number(acceptParameter(query, checkedLimit, 'query:limit:large', measure) ?? pageSize);
}

/** What is wrong with a limit, apart from its size. */
function errorOfLimit(limit: string): ErrorIdOf<'query'> | undefined {
  if (limit === '') return 'query:limit:empty';
  if (/^-\d+(\.\d+)?$/.test(limit)) return 'query:limit:negative';
  if (/^\d+\.\d+$/.test(limit)) return 'query:limit:fraction';
  if (/^\d+\D/.test(limit)) return 'query:limit:suffix';
  if (!/^\d+$/.test(limit)) return 'query:limit:text';
  return Number(limit) === 0 ? 'query:limit:zero' : undefined;
}

/** Which sessions the query parameter `record` asks for; `undefined` for all. */
function readRecordFilter(query: Query): boolean | undefined {
  const { url, endpoint: list, dialect } = query;
  const recordChoices = dialect.behaviours['list.record'];
  const parameter = {
    name: 'record',
    given: 'query:record:given',
    sentValue: url.searchParams.get('record'),
    expected: '1',
  } as const;
  const value = acceptParameter(query, parameter);
  if (value === '1') return true;
  if (value === undefined) {
    if (list === 'listSessions') return undefined;
    const empty = { ...parameter, sentValue: '' };
    if (parameter.sentValue === null) acceptParameter(query, empty, 'query:record:missing');
    return chosenRecordValues[recordChoices.absent];
  }
  const { choice, error } = recordFilters.get(value) ?? otherRecordFilter;
  acceptParameter(query, parameter, error);
  return chosenRecordValues[recordChoices[choice]];
}

/** A value of `record` other than 1: the name of what it chooses, and the error that it is for some services. */
interface RecordFilter {
  readonly choice: keyof Behaviours['list.record'];
  readonly error: ErrorIdOf<'query'>;
}

const recordFilters: ReadonlyMap<string, RecordFilter> = new Map<string, RecordFilter>([
  ['true', { choice: 'true', error: 'query:record:true' }],
  ['0', { choice: '0', error: 'query:record:zero' }],
  ['false', { choice: 'false', error: 'query:record:false' }],
  ['', { choice: 'empty', error: 'query:record:empty' }],
]);
const otherRecordFilter: RecordFilter = { choice: 'other', error: 'query:record:other' };

const chosenRecordValues = { recorded: true, unrecorded: false, all: undefined } as const;

function parentIdOf(url: URL): Parameter {
  return {
    name: 'parentId',
    given: 'query:parentId:given',
    sentValue: url.searchParams.get('parentId'),
    expected: 'a stream',
  };
}

/**
 * Accepts or refuses the id of a stream to which the list of all sessions is to be restricted. Returns the one to which it
 * is; `undefined` if it is not restricted.
 * @throws Problem 422 if it is refused.
 */
export function acceptParentId(
  { world, url, plan }: Pick<Site, 'world' | 'url' | 'plan'>,
  id: string | undefined,
): string | undefined {
  if (id === undefined || world.state.records.stream(id) !== undefined) return id;
  const parameter = parentIdOf(url);
  if (id === '') return acceptParameter(plan, parameter, 'query:parentId:empty');
  const error = isUuid(id) ? 'query:parentId:unknown' : 'query:parentId:malformed';
  return acceptParameter(plan, parameter, error);
}

/** Maximum number of fields by which a list is filtered or sorted: each of them is read for every record. */
const maxChosenFields = 10;

const fieldNameSchema = z.string();
const filterValueSchema = z.union([z.string(), z.number(), z.boolean()]);
const filtersSchema = z
  .array(z.strictObject({ id: fieldNameSchema, value: filterValueSchema }))
  .max(maxChosenFields);
const sortSchema = z
  .array(z.strictObject({ field: fieldNameSchema, largestFirst: z.boolean() }))
  .max(maxChosenFields);

/** How a query parameter chooses records. */
interface ChoiceReader {
  readonly given: ErrorIdOf<'query'>;
  readonly empty: ErrorIdOf<'query'>;
  readonly other: ErrorIdOf<'query'>;
  readonly expected: string;
  /** @throws Error for an invalid text. */
  read(text: string): Partial<Choice>;
}

const choiceReaders: Readonly<Record<string, ChoiceReader>> = {
  active: {
    given: 'query:active:given',
    empty: 'query:active:empty',
    other: 'query:active:other',
    expected: 'true or false',
    read: (text) =>
      z.enum(['true', 'false']).parse(text) === 'true'
        ? { filters: [{ id: 'isActive', value: true }] }
        : {},
  },
  order: {
    given: 'query:order:given',
    empty: 'query:order:empty',
    other: 'query:order:other',
    expected: `up to ${maxChosenFields} fields such as createdAt-true, each with -true or -false`,
    read(text) {
      const matches = text.split(',').map((key) => /^(\w+)-(true|false)$/.exec(key) ?? []);
      const order = matches.map(([, field, end]) => ({ field, largestFirst: end === 'true' }));
      return { order: sortSchema.parse(order) };
    },
  },
  filters: {
    given: 'query:filters:given',
    empty: 'query:filters:empty',
    other: 'query:filters:other',
    expected: `JSON such as [{"id":"record","value":true}], each id a field, up to ${maxChosenFields}`,
    read: (text) => ({ filters: filtersSchema.parse(JSON.parse(text)) }),
  },
};

/** Which records of a list a request chooses, and in which order; `undefined` if it does not say. */
function readChoice(query: Query): Choice | undefined {
  const choices = Object.entries(choiceReaders).flatMap(([name, reader]) => {
    const { given, empty, other, expected, read } = reader;
    const parameter = { name, given, sentValue: query.url.searchParams.get(name), expected };
    const text = acceptParameter(query, parameter);
    if (text === undefined) return [];
    try {
      return read(text);
    } catch {
      const accepted = acceptParameter(query, parameter, text === '' ? empty : other);
      // If the text is accepted as it is, it counts as true.
      return accepted === undefined || name !== 'active' ? [] : read('true');
    }
  });
  if (choices.length === 0) return undefined;
  return {
    filters: choices.flatMap((choice) => choice.filters ?? []),
    order: choices.flatMap((choice) => choice.order ?? []),
  };
}
