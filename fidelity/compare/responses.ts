import { isDeepStrictEqual } from 'node:util';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import type { JsonObject } from '../../conformance/target/expectations.ts';
import { formOf } from '../form.ts';
import { isObject, type Json } from '../json.ts';
import { namesIn } from '../names-in-header.ts';
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
  readonly refusals: Two<RefusalTexts>;
  /** Which object of the sequence a side shows; `undefined` for what the sequence did not make. */
  readonly recognize: (side: 0 | 1, record: JsonObject) => object | undefined;
}

/** The JSON of a response; `undefined` for a body that is none. */
export function jsonOf(response: TargetResponse): unknown {
  if (response.bytes.length === 0) return undefined;
  try {
    return response.json;
  } catch {
    return undefined;
  }
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
  const bodies =
    one.status >= 400
      ? compareForms(responses, context.refusals)
      : compareBodies(responses, context);
  return [...compareHeaders(responses), ...bodies];
}

function compareBodies([one, other]: Two<TargetResponse>, context: ResponseContext): Finding[] {
  const [first, second] = [jsonOf(one), jsonOf(other)];
  if (Array.isArray(first) && Array.isArray(second)) return compareLists([first, second], context);
  if (isObject(first) && isObject(second)) {
    const [path, records] = unwrap([first, second]);
    return compareRecords(records, path, context.correspondence);
  }
  if (first === undefined && second === undefined) {
    return compareValues(one.text === '', other.text === '', 'body is empty');
  }
  return compareValues(first, second, 'body');
}

/** The records in two objects that wrap one, with the key; objects with an id are records themselves. */
function unwrap(objects: Two<JsonObject>): readonly [path: string, Two<JsonObject>] {
  const key = ['stream', 'session'].find((name) =>
    objects.every((object) => isObject(object[name])),
  );
  if (key === undefined || objects.some((object) => 'id' in object)) return ['', objects];
  return [key, [objects[0][key] as JsonObject, objects[1][key] as JsonObject]];
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

type List = readonly unknown[];

/** A record of a list, and which object of the sequence it is. */
interface Owned {
  readonly made: object;
  readonly record: JsonObject;
}

/** How two lists differ in what the sequence made: which items, their order, and the items themselves. */
function compareLists(lists: Two<List>, { recognize, correspondence }: ResponseContext): Finding[] {
  const areObjects = [lists[0].every(isObject), lists[1].every(isObject)] as const;
  if (areObjects[0] !== areObjects[1]) return compareValues(...areObjects, 'items are objects');
  const ownedIn = (side: 0 | 1): Owned[] =>
    lists[side].filter(isObject).flatMap((record) => {
      const made = recognize(side, record);
      return made === undefined ? [] : [{ made, record }];
    });
  const [one, other] = [ownedIn(0), ownedIn(1)];
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
    const words = [orderOf(one), orderOf(other)] as const;
    const [finding] = differ('order of items', 'one', 'another');
    return finding === undefined ? [] : [{ ...finding, ...(words[0] !== words[1] && { words }) }];
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

/** What is known of the texts in the refusals of a service. */
export interface RefusalTexts {
  /** Places whose text was another when the same was asked again, such as `reason` or `errors[]`. */
  readonly varying: Set<string>;
  /** Forms that were asked for again. */
  readonly asked: Set<string>;
}

export function createRefusalTexts(): RefusalTexts {
  return { varying: new Set(), asked: new Set() };
}

/**
 * How the forms of two refusals differ; their content type is compared as a header. A text at a varying
 * place counts as any text that is no code, unless the other side has the same one: some services vary a
 * text in some refusals only.
 */
function compareForms(responses: Two<TargetResponse>, texts: Two<RefusalTexts>): Finding[] {
  const [one, other] = [contentOf(responses[0]), contentOf(responses[1])];
  const first = replaceTexts(one, other, texts[0].varying, '');
  const second = replaceTexts(other, one, texts[1].varying, '');
  if (isDeepStrictEqual(first, second)) return [];
  return [{ where: 'refusal', kinds: [JSON.stringify(first), JSON.stringify(second)] }];
}

/** Notes the places at which two refusals of the same request by one service have another text. */
export function noteVarying(responses: Two<TargetResponse>, { varying }: RefusalTexts): void {
  if (responses[0].status !== responses[1].status) return;
  for (const place of differingTexts(contentOf(responses[0]), contentOf(responses[1]), '')) {
    varying.add(place);
  }
}

/** The form of a refusal's JSON, or what it is instead. */
function contentOf(response: TargetResponse): Json {
  const form = formOf(response);
  return form === 'empty' ? form : (form.json ?? 'text');
}

function replaceTexts(
  value: Json,
  other: Json | undefined,
  varying: ReadonlySet<string>,
  place: string,
): Json {
  if (typeof value === 'string') {
    return varying.has(place) && value !== other ? '{message}' : value;
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      replaceTexts(item, partOf(other, index), varying, `${place}[]`),
    );
    // A form has each item once.
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    replaceTexts(item as Json, partOf(other, key), varying, `${place}.${key}`),
  ]);
  return Object.fromEntries(entries);
}

function differingTexts(one: unknown, other: unknown, place: string): string[] {
  if (typeof one === 'string') return typeof other === 'string' && one !== other ? [place] : [];
  if (typeof one !== 'object' || one === null) return [];
  return Object.entries(one).flatMap(([key, item]) => {
    const within = Array.isArray(one) ? '[]' : `.${key}`;
    return differingTexts(item, partOf(other, key), place + within);
  });
}

/** An item or a member of a value; `undefined` where it has none. */
function partOf(value: unknown, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, Json>)[key];
}
