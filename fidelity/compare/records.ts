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
  return one < other ? differ(where, smaller, larger) : differ(where, larger, smaller);
}

/** What of two sides stands for the same thing, throughout a sequence. */
export interface Correspondence {
  /** Pairs two values of a kind; `false` if one of them has another partner. */
  pair(kind: string, one: string, other: string): boolean;
  /** Whether two texts have ids of one kind in them, none of which is that of the same thing. */
  contradicts(one: string, other: string): boolean;
  /**
   * Notes the time of a record on each side; `false` if they come in another order than noted ones do,
   * or if only one side has shown another time of the same record.
   */
  timesAgree(id: string, one: number, other: number): boolean;
}

const idKinds = ['stream id', 'session id', 'streamKey', 'playbackId'];

/** Nothing is known yet. */
export function createCorrespondence(): Correspondence {
  const partners = new Map<string, Map<string, string>>();
  const pairsOf = (kind: string): Map<string, string> => {
    const pairs = partners.get(kind) ?? new Map<string, string>();
    partners.set(kind, pairs);
    return pairs;
  };
  return {
    pair(kind, one, other) {
      const pairs = pairsOf(kind);
      const isKnown = pairs.has(one) || [...pairs.values()].includes(other);
      if (isKnown) return pairs.get(one) === other;
      pairs.set(one, other);
      return true;
    },
    contradicts: (one, other) =>
      idKinds.some((kind) => {
        const pairs = [...pairsOf(kind)];
        const first = pairs.filter(([value]) => standsIn(one, value));
        const second = pairs.filter(([, partner]) => standsIn(other, partner));
        return (
          first.length > 0 && second.length > 0 && !first.some((pair) => second.includes(pair))
        );
      }),
    timesAgree: createTimeOrder(),
  };
}

/** Characters of the shortest value that counts: a shorter one, such as a small number, may stand there by chance. */
const shortestId = 6;

/** Whether a value stands in a text, and not as a part of a longer word. */
function standsIn(text: string, value: string): boolean {
  if (value.length < shortestId || value.length > text.length) return false;
  const encoded = encodeURIComponent(value.toWellFormed());
  for (let at = text.indexOf(encoded); at !== -1; at = text.indexOf(encoded, at + 1)) {
    const around = [text.charAt(at - 1), text.charAt(at + encoded.length)];
    if (!around.some((character) => /[a-z0-9]/i.test(character))) return true;
  }
  return false;
}

/** Milliseconds within which the order of two times says nothing. */
const tolerance = 200;

function areClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= tolerance;
}

function createTimeOrder(): Correspondence['timesAgree'] {
  const noted = new Map<string, Two<number>>();
  const byId = new Map<string, Two<number>>();
  return (id, one, other) => {
    const shown = byId.get(id) ?? [one, other];
    byId.set(id, shown);
    if (areClose(one, shown[0]) !== areClose(other, shown[1])) return false;
    noted.set(`${one} ${other}`, [one, other]);
    return [...noted.values()].every(([first, second]) => {
      const isSameOrder = (one - first) * (other - second) >= 0;
      return isSameOrder || areClose(one, first) || areClose(other, second);
    });
  };
}

/** The kind of a value: never what an account has in it. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** A value where it is a flag, a number or a word, and its kind otherwise. */
function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && /^[a-z][a-z_-]{0,30}$/.test(value)) return `"${value}"`;
  return kindOf(value);
}

/** How two values of JSON differ. */
export function compareValues(one: unknown, other: unknown, where: string): Finding[] {
  if (kindOf(one) !== kindOf(other)) return differ(where, kindOf(one), kindOf(other));
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) {
      return differInSize(where, one.length, other.length, ['fewer', 'more']);
    }
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

/** A key of two records, and what is known about the first of them. */
interface Compared {
  readonly values: Two<unknown>;
  readonly where: string;
  readonly isSession: boolean;
  /** Whether the recording of one of them may still become ready. */
  readonly isUnsettled: boolean;
  readonly id: string;
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
  const isSession = 'parentId' in one || 'parentId' in other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => {
    const values = [one[key], other[key]] as const;
    const where = path === '' ? key : `${path}.${key}`;
    const [first = '', second = ''] = values.map(kindOf);
    // Statuses are shown as they are.
    const show = /^record(ingStatus)?$/.test(key) ? wordOf : kindOf;
    if (first !== second) return differ(where, show(values[0]), show(values[1]));
    const isCompared = documentedKeys[isSession ? 'session' : 'stream'].includes(key);
    if (first === 'absent' || first === 'null' || !isCompared) return [];
    const isUnsettled = isPending(one) || isPending(other);
    const compared = { values, where, isSession, isUnsettled, id: textOf(one['id']) };
    const compare = comparisons[key];
    return compare?.(compared, correspondence) ?? compareValues(...values, where);
  });
}

type Compare = (compared: Compared, correspondence: Correspondence) => Finding[];

function corresponding(kind: string): Compare {
  return ({ values: [one, other], where }, { pair }) =>
    pair(kind, textOf(one), textOf(other)) ? [] : differ(where, 'one', 'another');
}

/** An address of a recording: both have the documented ending or not, and what is in them corresponds. */
const compareAddresses: Compare = ({ values, where }, correspondence) => {
  const one = textOf(values[0]);
  const other = textOf(values[1]);
  const first = addressForm(one);
  const second = addressForm(other);
  if (first !== second) return differ(where, first, second);
  if (!correspondence.pair('address', one, other)) return differ(where, 'one', 'another');
  // A service may have several hosts, each for one key of a record.
  const kind = `host of ${where.split('.').at(-1)}`;
  if (!correspondence.pair(kind, hostOf(one), hostOf(other))) {
    return differ(where, 'on one host', 'on another');
  }
  return compareIdsIn(one, other, where, correspondence);
};

const comparisons: Readonly<Record<string, Compare>> = {
  id: (compared, correspondence) =>
    corresponding(compared.isSession ? 'session id' : 'stream id')(compared, correspondence),
  parentId: corresponding('stream id'),
  streamKey: corresponding('streamKey'),
  playbackId: corresponding('playbackId'),
  recordingUrl: compareAddresses,
  mp4URL: compareAddresses,
  mp4Url: compareAddresses,
  createdAt({ values: [one, other], where, id }, { timesAgree }) {
    const first = timeForm(one);
    const second = timeForm(other);
    if (first !== second) return differ(where, first, second);
    const agree = typeof one !== 'number' || timesAgree(id, one, Number(other));
    return agree ? [] : differ(where, 'earlier', 'later');
  },
  sourceSegmentsDuration({ values: [one, other], where, isUnsettled }) {
    if (typeof one !== 'number' || typeof other !== 'number') {
      return compareValues(one, other, where);
    }
    return isUnsettled ? [] : compareDurations(where, one, other);
  },
};

/** How two durations in seconds differ by more than 20 % and 200 ms. */
export function compareDurations(where: string, one: number, other: number): Finding[] {
  const areEqual = Math.abs(one - other) <= Math.max(0.2, 0.2 * Math.max(one, other));
  return areEqual ? [] : differInSize(where, one, other, ['shorter', 'longer']);
}

/** The unit of a time of these years. */
function timeForm(value: unknown): string {
  if (typeof value !== 'number') return kindOf(value);
  if (!Number.isInteger(value)) return 'fraction';
  if (value < 1e11) return 'seconds';
  return value < 1e14 ? 'milliseconds' : 'microseconds';
}

function addressForm(address: string): string {
  const [ending = 'another name'] = /(?<=[/])index\.m3u8$|\.mp4$/.exec(address) ?? [];
  return `${URL.canParse(address) ? 'address' : 'path'} with ${ending}`;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/**
 * How the ids in two addresses, or paths, differ: where both have some of one kind, one of them must be
 * that of the same stream or session.
 */
export function compareIdsIn(
  one: string,
  other: string,
  where: string,
  { contradicts }: Correspondence,
): Finding[] {
  if (!contradicts(pathOf(one), pathOf(other))) return [];
  return differ(where, 'with the id of one', 'with that of another');
}

/** Characters of an address that are looked at. */
const longestAddress = 4_000;

/** What follows the host, which may have numbers in it. */
function pathOf(address: string): string {
  const text = address.slice(0, longestAddress);
  if (!URL.canParse(text)) return text;
  const { pathname, search } = new URL(text);
  return pathname + search;
}
