import { jsonOf } from '../../conformance/target/bounded-json.ts';
import type { TargetResponse } from '../../conformance/target/exchange.ts';
import { nextPageHeader } from '../../conformance/target/next-page.ts';
import type { JsonObject } from '../../conformance/target/read-response.ts';
import { documentedKeys } from '../../interface/dialect/behaviours.ts';
import type { Endpoint } from '../../interface/dialect/errors.ts';
import { isObject } from '../../interface/json.ts';
import { formOf } from '../form.ts';
import { namesIn } from '../headers.ts';
import { textOf } from '../json-shapes.ts';
import { recordsIn } from '../response-records.ts';
import { type BothSides, correspond, inSameOrder, type SequenceRun } from './both-sides.ts';
import { recognize } from './created-records.ts';

/** One difference between two responses. */
export interface Finding {
  /** `status`, `header link`, `refusal`, or a JSON path such as `[].profiles`. */
  readonly where: string;
  /** What is there on each side, as a kind or, where values are few, as a value. */
  readonly kinds: BothSides<string>;
}

/** A finding, if two kinds are not the same. */
export function differ(where: string, one: string, other: string): Finding[] {
  return one === other ? [] : [{ where, kinds: [one, other] }];
}

/** A finding, if two numbers are not the same, with a word for the smaller and the larger one. */
export function differInSize(where: string, one: number, other: number, words: BothSides<string>) {
  const [smaller, larger] = words;
  if (one === other) return [];
  return one < other ? differ(where, smaller, larger) : differ(where, larger, smaller);
}

/** How two durations, in seconds, differ. Up to 20 % or 200 ms, they do not. */
export function compareDurations(where: string, one: number, other: number): Finding[] {
  const areEqual = Math.abs(one - other) <= Math.max(0.2, 0.2 * Math.max(one, other));
  return areEqual ? [] : differInSize(where, one, other, ['shorter', 'longer']);
}

/** How two responses to the same request differ, in every way that clients can notice. */
export function compareResponses(
  run: SequenceRun,
  endpoint: Endpoint,
  responses: BothSides<TargetResponse>,
): Finding[] {
  const [one, other] = responses;
  if (one.status !== other.status) {
    return differ('status', String(one.status), String(other.status));
  }
  // The content type of a refusal is compared as a header.
  const bodies =
    one.status >= 400
      ? differ('refusal', refusalForm(one), refusalForm(other))
      : compareBodies(run, endpoint, responses);
  return [...compareHeaders(responses), ...bodies];
}

/** The form of a refusal's JSON, or what there is instead. */
function refusalForm(response: TargetResponse): string {
  const form = formOf(response);
  return JSON.stringify(form === 'empty' ? form : (form.json ?? 'text'));
}

/** What is compared of a header, given its value. */
type ReadHeader = (text: string | null) => string;

const presence: ReadHeader = (text) => (text === null ? 'absent' : 'present');
const value: ReadHeader = (text) => text?.trim().toLowerCase() ?? 'absent';
const list: ReadHeader = (text) =>
  text === null ? 'absent' : namesIn(text.toLowerCase()).sort().join(', ') || 'empty';

/** The headers that are compared. */
const headers: Readonly<Record<string, ReadHeader>> = {
  'content-type': (text) => value(text).replace(/\s*;\s*/g, '; '),
  location: presence,
  allow: list,
  etag: presence,
  'www-authenticate': (text) => value(text).split(' ')[0] ?? '',
  'retry-after': value,
  'access-control-allow-origin': value,
  'access-control-allow-credentials': value,
  'access-control-allow-methods': list,
  'access-control-allow-headers': list,
  'access-control-expose-headers': list,
  'access-control-max-age': value,
};

/** How the headers that clients read differ. */
function compareHeaders([one, other]: BothSides<TargetResponse>): Finding[] {
  // Without a body, the content type does not matter.
  const isEmpty = one.text === '' || other.text === '';
  return Object.entries(headers).flatMap(([name, read]) => {
    if (name === 'content-type' && isEmpty) return [];
    return differ(`header ${name}`, read(one.headers.get(name)), read(other.headers.get(name)));
  });
}

function compareBodies(run: SequenceRun, endpoint: Endpoint, responses: BothSides<TargetResponse>) {
  const [one, other] = responses.map(recordsIn);
  if (one && other && one.isList === other.isList && one.wrapper === other.wrapper) {
    const shown = [one.records, other.records] as const;
    if (one.isList) return compareLists(run, endpoint, responses, shown);
    return compareRecords(run, [shown[0][0] ?? {}, shown[1][0] ?? {}], '');
  }
  // A placeholder stands for text that is not JSON.
  const [first, second] = responses.map(
    (response) => jsonOf(response) ?? (response.text === '' ? undefined : 'text'),
  );
  if (isObject(first) && isObject(second)) return compareRecords(run, [first, second], '');
  return compareValues(first, second, 'body');
}

/** How two lists differ in what the sequence created: next page, items, order and contents. */
function compareLists(
  run: SequenceRun,
  endpoint: Endpoint,
  responses: BothSides<TargetResponse>,
  lists: BothSides<readonly JsonObject[]>,
): Finding[] {
  const one = recognize(run, 0, lists[0]);
  const other = recognize(run, 1, lists[1]);
  const isShared = [one.length < lists[0].length, other.length < lists[1].length] as const;
  if (isShared.includes(true)) run.sharedLists.add(endpoint);
  // Otherwise, what others created may fill a page.
  if (!run.sharedLists.has(endpoint)) {
    const next = differ('next page', nextPageHeader(responses[0]), nextPageHeader(responses[1]));
    // Pages of another length show other items.
    if (next.length > 0) return next;
  }
  const haveMore = (items: typeof one, others: typeof one): boolean =>
    items.some(({ created }) => !others.some((each) => each.created === created));
  const isMore = [haveMore(one, other), haveMore(other, one)] as const;
  // What is missing may be on a later page, after what others created.
  if ((isMore[0] && isShared[1]) || (isMore[1] && isShared[0])) return [];
  if (isMore[0] && isMore[1]) return differ('items', 'one', 'another');
  // If neither has more, the longer one shows something twice.
  if (one.length !== other.length) {
    return differInSize('items', one.length, other.length, ['fewer', 'more']);
  }
  if (one.some(({ created }, index) => other[index]?.created !== created)) {
    return differ('order of the list', 'one', 'another');
  }
  return one.flatMap(({ shown }, index) =>
    compareRecords(run, [shown, other[index]?.shown ?? {}], '[].'),
  );
}

/** Whether a session is recorded, and its recording may still become ready. */
export function isPending({ parentId, record, recordingStatus }: JsonObject): boolean {
  return parentId !== undefined && record !== false && recordingStatus !== 'ready';
}

/**
 * How two streams or sessions differ: ids, keys and addresses correspond, times have the same order,
 * other documented keys have the same value, and any other key a value of the same type.
 * @param path what stands before a key
 */
function compareRecords(run: SequenceRun, [one, other]: BothSides<JsonObject>, path: string) {
  const kind = 'parentId' in one || 'parentId' in other ? 'session' : 'stream';
  const isUnsettled = isPending(one) || isPending(other);
  return keysOfBoth(one, other).flatMap((key) => {
    const where = path + key;
    const kinds = differ(where, valueKind(one[key]), valueKind(other[key]));
    if (kinds.length > 0 || one[key] == null || !documentedKeys[kind].includes(key)) return kinds;
    // The recording goes on, or the encoder of a replay decides how long it is.
    if (key === 'sourceSegmentsDuration' && (isUnsettled || run.isReplay)) return [];
    const compare = comparisons[key] ?? compareValues;
    return compare(one[key], other[key], where, run);
  });
}

type Compare = (one: unknown, other: unknown, where: string, run: SequenceRun) => Finding[];

/** Compares values that each side chooses, such as ids: they must be partners. */
function corresponding(kind: string): Compare {
  return (one, other, where, run) =>
    correspond(run, kind, textOf(one), textOf(other)) ? [] : differ(where, 'one', 'another');
}

/** Compares addresses of recordings: their endings must be the same, and addresses and hosts must be partners. */
const compareAddresses: Compare = (one, other, where, run) => {
  const first = textOf(one);
  const second = textOf(other);
  const endings = differ(where, endingOf(first), endingOf(second));
  if (endings.length > 0) return endings;
  if (!correspond(run, 'address', first, second)) return differ(where, 'one', 'another');
  // A service may have a host for each key.
  const kind = `host of ${where.split('.').at(-1)}`;
  const areSame = correspond(run, kind, hostOf(first), hostOf(second));
  return areSame ? [] : differ(where, 'on one host', 'on another');
};

/** How documented keys are compared whose values differ between any two services. */
const comparisons: Readonly<Record<string, Compare>> = {
  id: corresponding('id'),
  parentId: corresponding('id'),
  streamKey: corresponding('streamKey'),
  playbackId: corresponding('playbackId'),
  recordingUrl: compareAddresses,
  mp4URL: compareAddresses,
  mp4Url: compareAddresses,
  createdAt(one, other, where, run) {
    // Seconds have fewer digits than milliseconds.
    const [first, second] = [one, other].map((time) => `${textOf(time).length} digits`);
    if (first !== second) return differ(where, first ?? '', second ?? '');
    const areSame = inSameOrder(run, Number(one), Number(other));
    return areSame ? [] : differ(where, 'earlier', 'later');
  },
  sourceSegmentsDuration: (one, other, where) =>
    compareDurations(where, Number(one), Number(other)),
};

function endingOf(address: string): string {
  return /(?<=[/])index\.m3u8$|\.mp4$/.exec(address)?.[0] ?? 'another ending';
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/** How two values of JSON differ. */
function compareValues(one: unknown, other: unknown, where: string): Finding[] {
  if (valueKind(one) !== valueKind(other)) return differ(where, valueKind(one), valueKind(other));
  if (Array.isArray(one) && Array.isArray(other)) {
    const sizes = differInSize(where, one.length, other.length, ['fewer', 'more']);
    if (sizes.length > 0) return sizes;
    return one.flatMap((item, index) => compareValues(item, other[index], `${where}[]`));
  }
  if (isObject(one) && isObject(other)) {
    return keysOfBoth(one, other).flatMap((key) =>
      compareValues(one[key], other[key], `${where}.${key}`),
    );
  }
  if (Object.is(one, other)) return [];
  const first = wordOf(one);
  const second = wordOf(other);
  return first === second
    ? differ(where, `a ${first}`, `another ${first}`)
    : differ(where, first, second);
}

function keysOfBoth(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

/** The kind of a value, which never shows data of an account. */
function valueKind(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** A boolean or a plain word as it is, and the kind of any other value. */
function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && /^[a-z][a-z_-]{0,30}$/.test(value)) return `"${value}"`;
  return valueKind(value);
}
