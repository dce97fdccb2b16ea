import { isObject, type Json } from '../interface/json.ts';

/** A JSON value as text, such as an id. `String` throws for an object with a `toString` of its own. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Parses JSON; `undefined` if the text is not JSON. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How a JSON value is mapped. */
interface Mapping {
  /** Maps a text, number or boolean at a key. */
  readonly leaf: (value: string | number | boolean, key: string) => Json;
  /** How many levels of objects and arrays are mapped; default all. */
  readonly levels?: number;
}

/** Maps the leaves of JSON, drops further items of arrays and keys that may be data, and sorts the rest, as some services shuffle them. */
export function mapJson(value: unknown, how: Mapping, key = ''): Json {
  if (typeof value !== 'object') return how.leaf(value as string, key);
  if (value === null) return null;
  const { levels = Number.POSITIVE_INFINITY } = how;
  const inner = { ...how, levels: levels - 1 };
  if (Array.isArray(value)) {
    return value.slice(0, levels < 1 ? 0 : 1).map((item) => mapJson(item, inner, key));
  }
  const entries = Object.entries(value)
    .filter(([name]) => levels > 0 && isPlainKey(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, mapJson(part, inner, name)]));
}

/** Whether a key is a name that programs use, and not an id or an address. */
function isPlainKey(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(key) && !/\d{3}|\d[a-f]\d/i.test(key);
}

/** Samples of texts that clients parse. */
const texts: readonly (readonly [RegExp, string])[] = [
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
  const leaf = (part: string | number | boolean): Json => {
    if (typeof part === 'number') return 0;
    if (typeof part === 'boolean') return keepsBooleans && part;
    return texts.find(([form]) => form.test(part))?.[1] ?? 'text';
  };
  return mapJson(value, { leaf, levels });
}

/** Whether two values have the same shape. Where one is null or empty, the other may be anything. */
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
