import { documentedKeys } from '../../interface/dialect/behaviours.ts';
import type { Endpoint } from '../../interface/dialect/errors.ts';
import { isObject } from '../../interface/json.ts';
import { loopSeconds } from '../../mocks/media/frames.ts';
import { jsonOf } from '../../target/requests/bounded-json.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { isSameName } from '../../target/requests/run-names.ts';
import { nextPageHeader } from '../../target/streams/next-page.ts';
import { formOf } from '../form.ts';
import { namesIn, normalizeType } from '../headers.ts';
import { textOf } from '../json-shapes.ts';
import { itemsIn } from '../response-items.ts';
import type { BothSides } from './both-sides.ts';
import { recognize, type SequenceRun } from './sequence-run.ts';

/** One difference between two responses. */
export interface Finding {
  /** `status`, `header link`, `refusal`, or a JSON path such as `[].profiles`. */
  readonly where: string;
  /** What is there on each side, as a kind or, where values are few, as a value. */
  readonly kinds: BothSides<string>;
}

/** A finding, if two kinds are not the same. */
export function differ(where: string, left: string, right: string): Finding[] {
  return left === right ? [] : [{ where, kinds: [left, right] }];
}

/** A finding, if two numbers are not the same, with a word for the smaller and the larger one. */
export function differInSize(where: string, left: number, right: number, words: BothSides<string>) {
  const [smaller, larger] = words;
  if (left === right) return [];
  return left < right ? differ(where, smaller, larger) : differ(where, larger, smaller);
}

/**
 * How two durations, in seconds, differ. Up to 20 % or 200 ms, they do not, and nor do those below the shortest that
 * the mock can have.
 */
export function compareDurations(where: string, leftTime: number, rightTime: number): Finding[] {
  const [left, right] = [Math.max(leftTime, loopSeconds), Math.max(rightTime, loopSeconds)];
  const areEqual = Math.abs(left - right) <= Math.max(0.2, 0.2 * Math.max(left, right));
  return areEqual ? [] : differInSize(where, left, right, ['shorter', 'longer']);
}

/** How two responses to the same request differ, in every way that clients can notice. */
export function compareResponses(
  run: SequenceRun,
  endpoint: Endpoint,
  responses: BothSides<TargetResponse>,
): Finding[] {
  const [left, right] = responses;
  if (left.status !== right.status) {
    return differ('status', String(left.status), String(right.status));
  }
  // The content type of a refusal is compared as a header.
  const bodies =
    left.status >= 400
      ? differ('refusal', refusalForm(left), refusalForm(right))
      : compareBodies(run, endpoint, responses);
  return [...compareHeaders(responses), ...bodies];
}

/** The form of a refusal's JSON, or what there is instead. */
function refusalForm(response: TargetResponse): string {
  const form = formOf(response);
  return JSON.stringify(form === 'empty' ? form : (form.json ?? 'text'));
}

/** What is compared of a header, given its value. */
type ReadHeader = (header: string | null) => string;

const readPresence: ReadHeader = (header) => (header === null ? 'absent' : 'present');
const readValue: ReadHeader = (header) => header?.trim().toLowerCase() ?? 'absent';
const readNames: ReadHeader = (header) =>
  header === null ? 'absent' : namesIn(header.toLowerCase()).sort().join(', ') || 'empty';

/** The headers that are compared. */
const comparedHeaders: Readonly<Record<string, ReadHeader>> = {
  'content-type': (header) => normalizeType(readValue(header)),
  location: readPresence,
  allow: readNames,
  etag: readPresence,
  'www-authenticate': (header) => readValue(header).split(' ')[0] ?? '',
  'retry-after': readValue,
  'access-control-allow-origin': readValue,
  'access-control-allow-credentials': readValue,
  'access-control-allow-methods': readNames,
  'access-control-allow-headers': readNames,
  'access-control-expose-headers': readNames,
  'access-control-max-age': readValue,
};

/** How the headers that clients read differ. */
function compareHeaders([left, right]: BothSides<TargetResponse>): Finding[] {
  // Without a body, the content type does not matter.
  const isEmpty = left.text === '' || right.text === '';
  return Object.entries(comparedHeaders).flatMap(([name, read]) => {
    if (name === 'content-type' && isEmpty) return [];
    return differ(`header ${name}`, read(left.headers.get(name)), read(right.headers.get(name)));
  });
}

function compareBodies(run: SequenceRun, endpoint: Endpoint, responses: BothSides<TargetResponse>) {
  const [left, right] = responses.map(itemsIn);
  if (left && right && left.isList === right.isList && left.wrapper === right.wrapper) {
    const items = [left.items, right.items] as const;
    if (left.isList) return compareLists(run, endpoint, responses, items);
    return compareItems(run, [items[0][0] ?? {}, items[1][0] ?? {}], '');
  }
  // A placeholder stands for text that is not JSON.
  const [first, second] = responses.map(
    (response) => jsonOf(response) ?? (response.text === '' ? undefined : 'text'),
  );
  if (isObject(first) && isObject(second)) return compareItems(run, [first, second], '');
  return compareValues(first, second, 'body');
}

/** How two lists differ in what the sequence created: next page, items, order and contents. */
function compareLists(
  run: SequenceRun,
  endpoint: Endpoint,
  responses: BothSides<TargetResponse>,
  lists: BothSides<readonly JsonObject[]>,
): Finding[] {
  const left = recognize(run, 0, lists[0]);
  const right = recognize(run, 1, lists[1]);
  const isShared = [left.length < lists[0].length, right.length < lists[1].length] as const;
  if (isShared.includes(true)) run.sharedLists.add(endpoint);
  // Otherwise, what others created may fill a page.
  if (!run.sharedLists.has(endpoint)) {
    const next = differ('next page', nextPageHeader(responses[0]), nextPageHeader(responses[1]));
    // Pages of another length show other items.
    if (next.length > 0) return next;
  }
  const haveMore = (first: typeof left, second: typeof left): boolean =>
    first.some(({ created }) => !second.some((item) => item.created === created));
  const isMore = [haveMore(left, right), haveMore(right, left)] as const;
  // What is missing may be on a later page, after what others created.
  if ((isMore[0] && isShared[1]) || (isMore[1] && isShared[0])) return [];
  if (isMore[0] && isMore[1]) return differ('items', 'one', 'another');
  // If neither has more, the longer one shows something twice.
  if (left.length !== right.length) {
    return differInSize('items', left.length, right.length, ['fewer', 'more']);
  }
  if (left.some(({ created }, index) => right[index]?.created !== created)) {
    return differ('order of the list', 'one', 'another');
  }
  return left.flatMap(({ item }, index) =>
    compareItems(run, [item, right[index]?.item ?? {}], '[].'),
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
function compareItems(run: SequenceRun, [left, right]: BothSides<JsonObject>, path: string) {
  const kind = 'parentId' in left || 'parentId' in right ? 'session' : 'stream';
  const isUnsettled = isPending(left) || isPending(right);
  return keysOfBoth(left, right).flatMap((key) => {
    const where = path + key;
    const kinds = differ(where, valueKind(left[key]), valueKind(right[key]));
    if (kinds.length > 0 || left[key] == null || !documentedKeys[kind].includes(key)) return kinds;
    // The recording goes on, or the encoder of a replay decides how long it is.
    if (key === 'sourceSegmentsDuration' && (isUnsettled || run.isReplay)) return [];
    const compare = comparisonByKey[key] ?? compareValues;
    return compare(left[key], right[key], where, run);
  });
}

type Compare = (left: unknown, right: unknown, where: string, run: SequenceRun) => Finding[];

/** Whether two values of a kind stand for the same thing. Two that have no partner yet become partners. */
function correspond({ partners }: SequenceRun, kind: string, left: string, right: string) {
  const first = `0 ${kind} ${left}`;
  const second = `1 ${kind} ${right}`;
  if (!partners.has(first) && !partners.has(second)) partners.set(first, second).set(second, first);
  return partners.get(first) === second;
}

/** Milliseconds within which the order of two times does not matter. */
const tolerance = 200;

/** Whether a pair of times is in the same order to all earlier pairs on both sides. */
function inSameOrder({ times }: SequenceRun, left: number, right: number): boolean {
  times.set(`${left} ${right}`, [left, right]);
  return [...times.values()].every(([first, second]) => {
    const areClose = Math.min(Math.abs(left - first), Math.abs(right - second)) <= tolerance;
    return areClose || left < first === right < second;
  });
}

/** Compares values that each side chooses, such as ids: they must be partners. */
function corresponding(kind: string): Compare {
  return (left, right, where, run) =>
    correspond(run, kind, textOf(left), textOf(right)) ? [] : differ(where, 'one', 'another');
}

/** Compares addresses of recordings: their endings must be the same, and addresses and hosts must be partners. */
const compareAddresses: Compare = (left, right, where, run) => {
  const first = textOf(left);
  const second = textOf(right);
  const endings = differ(where, endingOf(first), endingOf(second));
  if (endings.length > 0) return endings;
  if (!correspond(run, 'address', first, second)) return differ(where, 'one', 'another');
  // A service may have a host for each key.
  const kind = `host of ${where.split('.').at(-1)}`;
  const areSame = correspond(run, kind, hostOf(first), hostOf(second));
  return areSame ? [] : differ(where, 'on one host', 'on another');
};

/** How documented keys are compared whose values differ between any two services. */
const comparisonByKey: Readonly<Record<string, Compare>> = {
  // The name of a new stream is marked, differently on each side.
  name: (left, right, where) =>
    isSameName(textOf(left), textOf(right)) ? [] : compareValues(left, right, where),
  id: corresponding('id'),
  parentId: corresponding('id'),
  streamKey: corresponding('streamKey'),
  playbackId: corresponding('playbackId'),
  recordingUrl: compareAddresses,
  mp4URL: compareAddresses,
  mp4Url: compareAddresses,
  createdAt(left, right, where, run) {
    // Seconds have fewer digits than milliseconds.
    const [first = '', second = ''] = [left, right].map((time) => `${textOf(time).length} digits`);
    if (first !== second) return differ(where, first, second);
    const areSame = inSameOrder(run, Number(left), Number(right));
    return areSame ? [] : differ(where, 'earlier', 'later');
  },
  sourceSegmentsDuration: (left, right, where) =>
    compareDurations(where, Number(left), Number(right)),
};

function endingOf(address: string): string {
  return /(?<=[/])index\.m3u8$|\.mp4$/.exec(address)?.[0] ?? 'another ending';
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/** How two values of JSON differ. */
function compareValues(left: unknown, right: unknown, where: string): Finding[] {
  if (valueKind(left) !== valueKind(right)) return differ(where, valueKind(left), valueKind(right));
  if (Array.isArray(left) && Array.isArray(right)) {
    const sizes = differInSize(where, left.length, right.length, ['fewer', 'more']);
    if (sizes.length > 0) return sizes;
    return left.flatMap((item, index) => compareValues(item, right[index], `${where}[]`));
  }
  if (isObject(left) && isObject(right)) {
    return keysOfBoth(left, right).flatMap((key) =>
      compareValues(left[key], right[key], `${where}.${key}`),
    );
  }
  if (Object.is(left, right)) return [];
  const leftWord = wordOf(left);
  const rightWord = wordOf(right);
  return leftWord === rightWord
    ? differ(where, `a ${leftWord}`, `another ${leftWord}`)
    : differ(where, leftWord, rightWord);
}

function keysOfBoth(left: object, right: object): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])];
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
