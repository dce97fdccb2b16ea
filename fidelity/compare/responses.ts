import type { TargetResponse } from '../../conformance/target/exchange.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { isObject } from '../../interface/json.ts';
import { formOf } from '../form.ts';
import { jsonOf, namesIn, recordsIn } from '../response.ts';
import {
  type Correspondence,
  compareRecords,
  compareValues,
  differ,
  differInSize,
  type Finding,
  type Two,
} from './records.ts';

/** What a comparison of two responses needs to know. */
interface ResponseContext {
  readonly correspondence: Correspondence;
  /** Which object of the sequence a side shows; `undefined` for what the sequence did not make. */
  readonly recognize: (side: 0 | 1, record: JsonObject) => object | undefined;
}

/** How two responses to the same request differ, in every respect that clients can notice. */
export function compareResponses(
  responses: Two<TargetResponse>,
  context: ResponseContext,
): Finding[] {
  const [one, other] = responses;
  if (one.status !== other.status) {
    return differ('status', String(one.status), String(other.status));
  }
  const bodies = one.status >= 400 ? compareForms(responses) : compareBodies(responses, context);
  return [...compareHeaders(responses), ...bodies];
}

function compareBodies(responses: Two<TargetResponse>, context: ResponseContext): Finding[] {
  const { correspondence } = context;
  const [one, other] = responses.map(recordsIn);
  const areAlike = one?.isList === other?.isList && one?.wrapper === other?.wrapper;
  if (one !== undefined && other !== undefined && areAlike) {
    if (one.isList) return compareLists([one.records, other.records], context);
    return compareRecords([one.records[0] ?? {}, other.records[0] ?? {}], '', correspondence);
  }
  const [first, second] = responses.map(jsonOf);
  if (isObject(first) && isObject(second))
    return compareRecords([first, second], '', correspondence);
  if (first === undefined && second === undefined) {
    return compareValues(responses[0].text === '', responses[1].text === '', 'body is empty');
  }
  return compareValues(first, second, 'body');
}

/** What counts of a header; `undefined` where it does not count. */
type Read = (value: string | null, response: TargetResponse) => string | undefined;

const presence: Read = (value) => (value === null ? 'absent' : 'present');
const value: Read = (text) => text?.trim().toLowerCase() ?? 'absent';
const list: Read = (text) =>
  text === null ? 'absent' : namesIn(text.toLowerCase()).sort().join(', ') || 'empty';

/** The headers that are compared. */
const headers: Readonly<Record<string, Read>> = {
  // Without a body the type says nothing.
  'content-type': (type, { text }) =>
    text === '' ? undefined : (type?.toLowerCase().replace(/\s*;\s*/g, '; ') ?? 'absent'),
  location: (text, response) => (text === null ? 'absent' : whatIsAt(text, response)),
  // Whether there is a next page is compared of lists: what others made may be what fills one.
  link: relations,
  allow: list,
  etag: presence,
  'www-authenticate': (text) => text?.split(' ')[0]?.toLowerCase() ?? 'absent',
  'retry-after': value,
  'access-control-allow-origin': value,
  'access-control-allow-credentials': value,
  'access-control-allow-methods': list,
  'access-control-allow-headers': list,
  'access-control-expose-headers': list,
  'access-control-max-age': value,
};

/** The relations that links have beside that to the next page. */
function relations(links: string | null): string {
  const names = [...(links ?? '').matchAll(/;\s*rel\s*=\s*"?([\w\s-]*)/gi)]
    .flatMap(([, name = '']) => name.toLowerCase().split(/\s+/))
    .filter((name) => name !== '' && name !== 'next');
  return [...new Set(names)].sort().join(', ') || 'absent';
}

/** Whether an address is that of the record in the body. */
function whatIsAt(address: string, response: TargetResponse): string {
  const body = jsonOf(response);
  const id = isObject(body) ? body['id'] : undefined;
  const isOfRecord =
    typeof id === 'string' && address.includes(encodeURIComponent(id.toWellFormed()));
  return isOfRecord ? 'of the record' : 'of something else';
}

/** How the headers that clients read differ. */
function compareHeaders(responses: Two<TargetResponse>): Finding[] {
  return Object.entries(headers).flatMap(([name, read]) => {
    const texts = responses.map((response) => response.headers.get(name));
    if (texts.every((text) => text === null)) return [];
    const [one, other] = responses.map((response, side) => read(texts[side] ?? null, response));
    return one === undefined || other === undefined ? [] : differ(`header ${name}`, one, other);
  });
}

type List = readonly JsonObject[];

/** A record of a list, and which object of the sequence it is. */
interface Owned {
  readonly made: object;
  readonly record: JsonObject;
}

/** How two lists differ in what the sequence made: which items, their order, and the items themselves. */
function compareLists(lists: Two<List>, { recognize, correspondence }: ResponseContext): Finding[] {
  const ownedIn = (side: 0 | 1): Owned[] =>
    lists[side].flatMap((record) => {
      const made = recognize(side, record);
      return made === undefined ? [] : [{ made, record }];
    });
  const one = ownedIn(0);
  const other = ownedIn(1);
  const missing = countMissing(other, one);
  const further = countMissing(one, other);
  // Where a page is full of what others made, ours is behind it.
  if (missing > 0 && lists[0].length > one.length) return [];
  if (further > 0 && lists[1].length > other.length) return [];
  if (missing > 0 && further > 0) return [{ where: 'items', kinds: ['others', 'others'] }];
  // Where everything is in both, the longer one shows something twice.
  const sizes = missing + further > 0 ? [further, missing] : [one.length, other.length];
  const [size = 0, otherSize = 0] = sizes;
  if (size !== otherSize) return differInSize('items', size, otherSize, ['fewer', 'more']);
  if (one.some(({ made }, index) => other[index]?.made !== made)) {
    const orders = [orderOf(one), orderOf(other)] as const;
    const areNamed = orders[0] !== orders[1];
    return [{ where: 'order of the list', kinds: areNamed ? orders : ['one', 'another'] }];
  }
  return one.flatMap(({ record }, index) =>
    compareRecords([record, other[index]?.record ?? {}], '[]', correspondence),
  );
}

/** How many of some items are not among others. */
function countMissing(items: readonly Owned[], others: readonly Owned[]): number {
  const among = new Set(others.map(({ made }) => made));
  return items.filter(({ made }) => !among.has(made)).length;
}

/** The order of records by when they were created. */
function orderOf(items: readonly Owned[]): string {
  const times = items.map(({ record }) => Number(record['createdAt']));
  const isIn = (order: 1 | -1): boolean =>
    times.every((time, index) => index === 0 || order * (time - (times[index - 1] ?? 0)) >= 0);
  if (isIn(1)) return 'oldest first';
  return isIn(-1) ? 'newest first' : 'another order';
}

/** How the forms of two refusals differ; their content type is compared as a header. */
function compareForms(responses: Two<TargetResponse>): Finding[] {
  return differ('refusal', contentOf(responses[0]), contentOf(responses[1]));
}

/** The form of a refusal's JSON, or what it is instead. */
function contentOf(response: TargetResponse): string {
  const form = formOf(response);
  return JSON.stringify(form === 'empty' ? form : (form.json ?? 'text'));
}
