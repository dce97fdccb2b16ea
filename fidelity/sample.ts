import type { Json } from '../interface/json.ts';
import { isObject } from '../interface/json.ts';
import { isPlainKey } from './form.ts';

/** Where a value is, and what a sample keeps of it. */
interface Place {
  /** Levels of objects and arrays that are shown. */
  readonly levels: number;
  /** Whether a truth is kept: `{"deleted":true}`. */
  readonly keepsTruth?: true;
}

/** What is made up for a text that clients parse. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, '2030-01-01T00:00:00.000Z'],
  [/^https?:\/\//, 'https://example.test/'],
];

/** Keys of an object that a sample shows. */
const mostKeys = 100;

/**
 * A value that is made up from the type of another one, so that nobody's data leaves the service: an array has one
 * item, the keys of an object are in order.
 */
export function sampleOf(value: unknown, place: Place): Json {
  if (typeof value === 'string') {
    if (['stream', 'session'].includes(value)) return value;
    return texts.find(([form]) => form.test(value))?.[1] ?? 'text';
  }
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return place.keepsTruth === true && value;
  const levels = place.levels - 1;
  if (Array.isArray(value)) {
    return levels < 0 ? [] : value.slice(0, 1).map((item) => sampleOf(item, { ...place, levels }));
  }
  if (!isObject(value)) return null;
  const entries = Object.entries(value)
    .filter(([key]) => isPlainKey(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, levels < 0 ? 0 : mostKeys);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, sampleOf(item, { ...place, levels })]),
  );
}

/** Whether two values have the same shape. What is null or empty in one may be anything in the other. */
export function haveSameShape(one: unknown, other: unknown): boolean {
  if (one == null || other == null) return true;
  if (Array.isArray(one) && Array.isArray(other)) return haveSameShape(one[0], other[0]);
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys({ ...one, ...other });
    if ([one, other].some((object) => Object.keys(object).length === 0)) return true;
    return keys.every((key) => key in one && key in other && haveSameShape(one[key], other[key]));
  }
  return typeof one === typeof other && isObject(one) === isObject(other);
}
