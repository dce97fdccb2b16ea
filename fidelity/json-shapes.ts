import { sampleText } from '../interface/dialect/behaviours.ts';
import { isObject, type Json } from '../interface/json.ts';
import type { WordAt } from './word-samples.ts';

/** A JSON value as text, such as an id. `String` throws for an object with a `toString` of its own. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** How a JSON value is mapped. */
interface Mapping {
  /** Maps a text, number or boolean at a key. */
  readonly leaf: (value: string | number | boolean, key: string) => Json;
  /** How many levels of objects and arrays are mapped; default all. */
  readonly levels?: number;
  /** Which keys stay; default plain ones. */
  readonly keeps?: (key: string) => boolean;
}

/** Maps the leaves of JSON, drops further items of arrays and keys that may be data, and sorts the rest, as some services shuffle them. */
export function mapJson(value: unknown, mapping: Mapping, key = ''): Json {
  if (typeof value !== 'object') return mapping.leaf(value as string, key);
  if (value === null) return null;
  const { levels = Number.POSITIVE_INFINITY, keeps = isPlainKey } = mapping;
  const inner = { ...mapping, levels: levels - 1 };
  if (Array.isArray(value)) {
    return value.slice(0, levels < 1 ? 0 : 1).map((item) => mapJson(item, inner, key));
  }
  const entries = Object.entries(value)
    .filter(([name]) => levels > 0 && keeps(name))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inside]) => [name, mapJson(inside, inner, name)]));
}

/** Whether a key is a name that programs use, and not an id or an address. */
function isPlainKey(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(key) && !/\d{3}|\d[a-f]\d/i.test(key);
}

/** Whether a key is a plain one, or leads to a field of a request, such as `profiles.0.width`. */
export function isFieldPath(key: string): boolean {
  return (
    key.length <= 100 && key.split(/\.(?:\d{1,2}(?:\.|$))?|\[\d{1,2}\]\.?/).every(isPlainKeyOrEnd)
  );
}

function isPlainKeyOrEnd(part: string): boolean {
  return part === '' || isPlainKey(part);
}

/** Samples of texts that clients parse. */
const sampleTexts: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, '2030-01-01T00:00:00.000Z'],
  [/^https?:\/\//, 'https://example.test/'],
  [/^stream$/, 'stream'],
  [/^session$/, 'session'],
];

/**
 * Makes up a value of the same type as another, so that no real data leaves the service. A boolean is as it was seen: clients
 * act on `{"ok":true}`.
 * @param levels how many levels of objects and arrays it has
 */
export function sampleOf(value: unknown, levels: number, wordAt: WordAt): Json {
  const leaf = (original: string | number | boolean, key: string): Json => {
    if (typeof original === 'number') return 0;
    if (typeof original === 'boolean') return original;
    const form = sampleTexts.find(([pattern]) => pattern.test(original))?.[1];
    return form ?? wordAt(key, original) ?? sampleText;
  };
  return mapJson(value, { leaf, levels });
}

/** Whether two values have the same shape. Where one is null or empty, the other may be anything. */
export function haveSameShape(left: unknown, right: unknown): boolean {
  return keepsShape(left, right) && addedKeys(left, right).length === 0;
}

/** Whether a value still has the shape that it had, and perhaps more keys. */
export function keepsShape(before: unknown, now: unknown): boolean {
  if (before == null || now == null) return true;
  if (Array.isArray(before) && Array.isArray(now)) return keepsShape(before[0], now[0]);
  if (isObject(before) && isObject(now)) {
    if (Object.keys(now).length === 0) return true;
    return Object.keys(before).every((key) => key in now && keepsShape(before[key], now[key]));
  }
  return typeof before === typeof now && isObject(before) === isObject(now);
}

/** The paths of the keys that a value has and had not before, such as `plan.limits.streams`. An empty object may get any. */
export function addedKeys(before: unknown, now: unknown): readonly string[] {
  if (Array.isArray(before) && Array.isArray(now)) return addedKeys(before[0], now[0]);
  if (!isObject(before) || !isObject(now) || Object.keys(before).length === 0) return [];
  return Object.keys(now).flatMap((key) =>
    key in before ? addedKeys(before[key], now[key]).map((inner) => `${key}.${inner}`) : [key],
  );
}
