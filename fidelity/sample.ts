import type { Json } from '../interface/json.ts';
import { isObject } from '../interface/json.ts';

/** How a value of JSON is written anew. */
interface Rewriting {
  /** What stands for a text, a number or a truth at a key. */
  readonly leaf: (value: string | number | boolean, key: string) => Json;
  /** Which items of an array are written; default all that differ once they are written. */
  readonly items?: 'first';
  /** Levels of objects and arrays that are written; default all. */
  readonly levels?: number;
}

/** Writes JSON anew, without keys that may be data. Keys are in order, as some services shuffle them. */
export function rewrite(value: unknown, how: Rewriting, key = ''): Json {
  if (typeof value !== 'object') return how.leaf(value as string, key);
  if (value === null) return null;
  const { levels = Number.POSITIVE_INFINITY, items } = how;
  const inner = { ...how, levels: levels - 1 };
  if (Array.isArray(value)) {
    const shown = value.slice(0, levels < 1 ? 0 : items && 1);
    const written = shown.map((item) => rewrite(item, inner, key));
    return [...new Map(written.map((item) => [JSON.stringify(item), item])).values()];
  }
  const entries = Object.entries(value)
    .filter(([name]) => levels > 0 && isPlainKey(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, rewrite(part, inner, name)]));
}

/** Whether a key is a name that programs use, and no id or address. */
function isPlainKey(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(key) && !/\d{3}|\d[a-f]\d/i.test(key);
}

/** What is made up for a text that clients parse. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, '2030-01-01T00:00:00.000Z'],
  [/^https?:\/\//, 'https://example.test/'],
  [/^stream$/, 'stream'],
  [/^session$/, 'session'],
];

/**
 * A value that is made up from the type of another one, so that nobody's data leaves the service.
 * @param levels of objects and arrays that it shows
 * @param keepsTruth whether a truth is kept: `{"deleted":true}`
 */
export function sampleOf(value: unknown, levels: number, keepsTruth = false): Json {
  const leaf = (part: string | number | boolean): Json => {
    if (typeof part === 'number') return 0;
    if (typeof part === 'boolean') return keepsTruth && part;
    return texts.find(([form]) => form.test(part))?.[1] ?? 'text';
  };
  return rewrite(value, { leaf, items: 'first', levels });
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
