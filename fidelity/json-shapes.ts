import { sampleText } from '../interface/dialect/behaviours.ts';
import { isObject, type Json } from '../interface/json.ts';

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
}

/** Maps the leaves of JSON, drops further items of arrays and keys that may be data, and sorts the rest, as some services shuffle them. */
export function mapJson(value: unknown, mapping: Mapping, key = ''): Json {
  if (typeof value !== 'object') return mapping.leaf(value as string, key);
  if (value === null) return null;
  const { levels = Number.POSITIVE_INFINITY } = mapping;
  const inner = { ...mapping, levels: levels - 1 };
  if (Array.isArray(value)) {
    return value.slice(0, levels < 1 ? 0 : 1).map((item) => mapJson(item, inner, key));
  }
  const entries = Object.entries(value)
    .filter(([name]) => levels > 0 && isPlainKey(name))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inside]) => [name, mapJson(inside, inner, name)]));
}

/** Whether a key is a name that programs use, and not an id or an address. */
function isPlainKey(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(key) && !/\d{3}|\d[a-f]\d/i.test(key);
}

/** Samples of texts that clients parse. */
const sampleTexts: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d/, '2030-01-01T00:00:00.000Z'],
  [/^https?:\/\//, 'https://example.test/'],
  [/^stream$/, 'stream'],
  [/^session$/, 'session'],
];

/**
 * Makes up a value of the same type as another, so that no real data leaves the service.
 * @param levels how many levels of objects and arrays it has
 * @param keepsBooleans whether booleans are kept, as in `{"deleted":true}`
 */
export function sampleOf(value: unknown, levels: number, keepsBooleans = false): Json {
  const leaf = (original: string | number | boolean): Json => {
    if (typeof original === 'number') return 0;
    if (typeof original === 'boolean') return keepsBooleans && original;
    return sampleTexts.find(([pattern]) => pattern.test(original))?.[1] ?? sampleText;
  };
  return mapJson(value, { leaf, levels });
}

/** Whether two values have the same shape. Where one is null or empty, the other may be anything. */
export function haveSameShape(left: unknown, right: unknown): boolean {
  if (left == null || right == null) return true;
  if (Array.isArray(left) && Array.isArray(right)) return haveSameShape(left[0], right[0]);
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys({ ...left, ...right });
    if ([left, right].some((object) => Object.keys(object).length === 0)) return true;
    return keys.every((key) => key in left && key in right && haveSameShape(left[key], right[key]));
  }
  return typeof left === typeof right && isObject(left) === isObject(right);
}
