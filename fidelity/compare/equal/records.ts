import type { JsonObject } from '../../../conformance/target/expectations.ts';
import type { Session, Stream } from '../../../interface/types.ts';
import { isObject, textOf } from '../../json.ts';
import { compareIdsIn, hostOf } from './addresses.ts';
import type { Correspondence, IdKind } from './correspondence.ts';
import { type Finding, kindOf, wordOf } from './finding.ts';

/** The keys whose values are compared; of others, only their type. */
const documented = {
  stream: ['id', 'name', 'profiles', 'createdAt', 'streamKey', 'playbackId', 'record'],
  session: [
    'id',
    'parentId',
    'record',
    'recordingStatus',
    'recordingUrl',
    'mp4URL',
    'mp4Url',
    'sourceSegmentsDuration',
    'createdAt',
    'profiles',
  ],
} as const satisfies { stream: readonly (keyof Stream)[]; session: readonly (keyof Session)[] };

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
  [one, other]: readonly [JsonObject, JsonObject],
  path: string,
  correspondence: Correspondence,
): Finding[] {
  const isSession = 'parentId' in one || 'parentId' in other;
  const compared: readonly string[] = documented[isSession ? 'session' : 'stream'];
  const unsettled = isPending(one) || isPending(other);
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => {
    const values = [one[key], other[key]] as const;
    const where = `${path}${path === '' ? '' : '.'}${key}`;
    const [first, second] = values.map(kindOf);
    if (first !== second) return [{ where, kinds: [words(key, values[0]), words(key, values[1])] }];
    if (first === 'absent' || first === 'null' || !compared.includes(key)) return [];
    const compare = comparisons[key] ?? comparisons['value'];
    const record = { unsettled, id: textOf(one['id']), isSession };
    return compare?.(values, where, correspondence, record) ?? [];
  });
}

/** Statuses are shown as they are. */
function words(key: string, value: unknown): string {
  return key === 'recordingStatus' || key === 'record' ? wordOf(value) : kindOf(value);
}

type Compare = (
  values: readonly [unknown, unknown],
  where: string,
  correspondence: Correspondence,
  record: { readonly unsettled: boolean; readonly id: string; readonly isSession: boolean },
) => Finding[];

const corresponding =
  (kind: IdKind): Compare =>
  ([one, other], where, { ids }) =>
    ids[kind].pair(textOf(one), textOf(other)) ? [] : [{ where, kinds: ['one', 'another'] }];

/** Seconds within which two durations are equal, whatever their length. */
const shortest = 0.2;

/** Whether two durations in seconds are equal: within 20 % or 200 ms. */
export function areNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(shortest, 0.2 * Math.max(one, other));
}

const duration: Compare = ([one, other], where, _, { unsettled }) => {
  if (typeof one !== 'number' || typeof other !== 'number') return compareValues(one, other, where);
  if (unsettled || areNear(one, other)) return [];
  return [{ where, kinds: one < other ? ['shorter', 'longer'] : ['longer', 'shorter'] }];
};

/** An address of a recording: both have the documented ending or not, and what is in them corresponds. */
const address: Compare = (values, where, correspondence) => {
  const [first, second] = [addressForm(values[0]), addressForm(values[1])];
  if (first !== second) return [{ where, kinds: [first, second] }];
  const [one, other] = [textOf(values[0]), textOf(values[1])];
  const { addresses, hosts, ids } = correspondence;
  if (!addresses.pair(one, other)) return [{ where, kinds: ['one', 'another'] }];
  const key = where.split('.').at(-1);
  if (!hosts.pair(`${key} ${hostOf(one)}`, `${key} ${hostOf(other)}`)) {
    return [{ where, kinds: ['on one host', 'on another'] }];
  }
  return compareIdsIn(one, other, where, ids);
};

function addressForm(value: unknown): string {
  const text = textOf(value);
  const [ending = 'another name'] = /(?<=[/])index\.m3u8$|\.mp4$/.exec(text) ?? [];
  return `${URL.canParse(text) ? 'address' : 'path'} with ${ending}`;
}

/** The unit of a time of these years. */
function timeForm(value: unknown): string {
  if (typeof value !== 'number') return kindOf(value);
  if (!Number.isInteger(value)) return 'fraction';
  if (value < 1e11) return 'seconds';
  return value < 1e14 ? 'milliseconds' : 'microseconds';
}

const comparisons: Readonly<Record<string, Compare>> = {
  id: (values, where, correspondence, record) => {
    const kind = record.isSession ? 'session id' : 'stream id';
    return corresponding(kind)(values, where, correspondence, record);
  },
  parentId: corresponding('stream id'),
  streamKey: corresponding('streamKey'),
  playbackId: corresponding('playbackId'),
  recordingUrl: address,
  mp4URL: address,
  mp4Url: address,
  createdAt: ([one, other], where, { times }, { id }) => {
    const [first, second] = [timeForm(one), timeForm(other)];
    if (first !== second) return [{ where, kinds: [first, second] }];
    const agree = typeof one !== 'number' || times.agree(id, one, Number(other));
    return agree ? [] : [{ where, kinds: ['earlier', 'later'] }];
  },
  sourceSegmentsDuration: duration,
  value: ([one, other], where) => compareValues(one, other, where),
};

/** How two values of JSON differ. */
export function compareValues(one: unknown, other: unknown, where: string): Finding[] {
  if (kindOf(one) !== kindOf(other)) return [{ where, kinds: [kindOf(one), kindOf(other)] }];
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) {
      return [{ where, kinds: one.length < other.length ? ['fewer', 'more'] : ['more', 'fewer'] }];
    }
    return one.flatMap((item, index) => compareValues(item, other[index], `${where}[]`));
  }
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) => compareValues(one[key], other[key], `${where}.${key}`));
  }
  if (Object.is(one, other)) return [];
  const [first, second] = [wordOf(one), wordOf(other)];
  return [
    { where, kinds: first === second ? [`a ${first}`, `another ${first}`] : [first, second] },
  ];
}
