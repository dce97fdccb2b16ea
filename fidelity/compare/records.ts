import type { JsonObject } from '../../conformance/target/expectations.ts';
import { isObject } from '../../interface/json.ts';
import { documentedKeys } from '../../interface/silent.ts';
import { textOf } from '../json.ts';

/** A value for each of the two sides. */
export type Two<Value> = readonly [Value, Value];

/** One way in which two responses differ. */
export interface Finding {
  /** `status`, `header link`, `refusal`, or a JSON path such as `[].profiles`. */
  readonly where: string;
  /** What is there on each side, as a kind or, where values are few, as a value. */
  readonly kinds: Two<string>;
}

/** The finding that two kinds are not the same. */
export function differ(where: string, one: string, other: string): Finding[] {
  return one === other ? [] : [{ where, kinds: [one, other] }];
}

/** The finding that one of two numbers is larger, in words for the smaller and the larger one. */
export function differInSize(
  where: string,
  one: number,
  other: number,
  [smaller, larger]: Two<string>,
): Finding[] {
  if (one === other) return [];
  return one < other ? differ(where, smaller, larger) : differ(where, larger, smaller);
}

/** Milliseconds within which the order of two times says nothing. */
const tolerance = 200;

/** What of two sides stands for the same thing, throughout a sequence. */
export type Correspondence = ReturnType<typeof createCorrespondence>;

/** Nothing is known yet. */
export function createCorrespondence() {
  const partners: Two<Map<string, string>> = [new Map(), new Map()];
  const times = new Map<string, Two<number>>();
  return {
    /** Pairs two values of a kind; `false` if one of them has another partner. */
    pair(kind: string, one: string, other: string): boolean {
      const first = `${kind} ${one}`;
      const second = `${kind} ${other}`;
      if (!partners[0].has(first) && !partners[1].has(second)) {
        partners[0].set(first, second);
        partners[1].set(second, first);
      }
      return partners[0].get(first) === second;
    },
    /** Notes a time on each side; `false` if they come in another order than noted ones do. */
    timesAgree(one: number, other: number): boolean {
      times.set(`${one} ${other}`, [one, other]);
      return [...times.values()].every(([first, second]) => {
        const areClose = Math.min(Math.abs(one - first), Math.abs(other - second)) <= tolerance;
        return areClose || one < first === other < second;
      });
    },
  };
}

/** The kind of a value: never what an account has in it. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** A value where it is a flag or a word, and its kind otherwise. */
function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && /^[a-z][a-z_-]{0,30}$/.test(value)) return `"${value}"`;
  return kindOf(value);
}

/** How two values of JSON differ. */
export function compareValues(one: unknown, other: unknown, where: string): Finding[] {
  if (kindOf(one) !== kindOf(other)) return differ(where, kindOf(one), kindOf(other));
  if (Array.isArray(one) && Array.isArray(other)) {
    const sizes = differInSize(where, one.length, other.length, ['fewer', 'more']);
    if (sizes.length > 0) return sizes;
    return one.flatMap((item, index) => compareValues(item, other[index], `${where}[]`));
  }
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => compareValues(one[key], other[key], `${where}.${key}`));
  }
  if (Object.is(one, other)) return [];
  const first = wordOf(one);
  const second = wordOf(other);
  return first === second
    ? differ(where, `a ${first}`, `another ${first}`)
    : differ(where, first, second);
}

/** Whether a session is recorded, and its recording may still become ready. */
export function isPending(record: JsonObject): boolean {
  const { parentId, record: recorded, recordingStatus } = record;
  return parentId !== undefined && recorded !== false && recordingStatus !== 'ready';
}

/**
 * How two streams or sessions differ: ids, keys and addresses correspond, times have the same order,
 * documented keys have the same value, and further keys the same type.
 */
export function compareRecords(
  [one, other]: Two<JsonObject>,
  path: string,
  correspondence: Correspondence,
): Finding[] {
  const kind = 'parentId' in one || 'parentId' in other ? 'session' : 'stream';
  const isUnsettled = isPending(one) || isPending(other);
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => {
    const values = [one[key], other[key]] as const;
    const where = path === '' ? key : `${path}.${key}`;
    const [first = '', second = ''] = values.map(kindOf);
    // Statuses are shown as they are.
    const show = /^record(ingStatus)?$/.test(key) ? wordOf : kindOf;
    if (first !== second) return differ(where, show(values[0]), show(values[1]));
    const isCompared = documentedKeys[kind].includes(key);
    if (first === 'absent' || first === 'null' || !isCompared) return [];
    // The recording goes on.
    if (key === 'sourceSegmentsDuration' && isUnsettled) return [];
    const compare = comparisons[key === 'id' ? `${kind} id` : key] ?? compareValues;
    return compare(...values, where, correspondence);
  });
}

type Compare = (
  one: unknown,
  other: unknown,
  where: string,
  correspondence: Correspondence,
) => Finding[];

/** Two values that stand for the same thing on their sides. */
function corresponding(kind: string): Compare {
  return (one, other, where, { pair }) =>
    pair(kind, textOf(one), textOf(other)) ? [] : differ(where, 'one', 'another');
}

/** An address of a recording: both have the documented ending or not, and hosts correspond, too. */
const compareAddresses: Compare = (one, other, where, { pair }) => {
  const first = textOf(one);
  const second = textOf(other);
  const endings = differ(where, endingOf(first), endingOf(second));
  if (endings.length > 0) return endings;
  if (!pair('address', first, second)) return differ(where, 'one', 'another');
  // A service may have several hosts, each for one key of a record.
  const kind = `host of ${where.split('.').at(-1)}`;
  return pair(kind, hostOf(first), hostOf(second))
    ? []
    : differ(where, 'on one host', 'on another');
};

/** How the values of documented keys are compared that are not the same on both sides. */
const comparisons: Readonly<Record<string, Compare>> = {
  'stream id': corresponding('stream'),
  'session id': corresponding('session'),
  parentId: corresponding('stream'),
  streamKey: corresponding('streamKey'),
  playbackId: corresponding('playbackId'),
  recordingUrl: compareAddresses,
  mp4URL: compareAddresses,
  mp4Url: compareAddresses,
  createdAt(one, other, where, { timesAgree }) {
    // Times of these years in seconds have fewer digits than in milliseconds.
    const units = differInSize(where, digitsIn(one), digitsIn(other), [
      'fewer digits',
      'more digits',
    ]);
    if (units.length > 0) return units;
    return timesAgree(Number(one), Number(other)) ? [] : differ(where, 'earlier', 'later');
  },
  sourceSegmentsDuration: (one, other, where) =>
    compareDurations(where, Number(one), Number(other)),
};

/** How two durations in seconds differ by more than 20 % and 200 ms. */
export function compareDurations(where: string, one: number, other: number): Finding[] {
  const areEqual = Math.abs(one - other) <= Math.max(0.2, 0.2 * Math.max(one, other));
  return areEqual ? [] : differInSize(where, one, other, ['shorter', 'longer']);
}

function digitsIn(value: unknown): number {
  return typeof value === 'number' ? String(value).length : 0;
}

function endingOf(address: string): string {
  return /(?<=[/])index\.m3u8$|\.mp4$/.exec(address)?.[0] ?? 'another ending';
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
