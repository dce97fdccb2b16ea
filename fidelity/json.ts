import type { Json } from '../interface/json.ts';

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
  /** Which items of an array are mapped; default all, without those that are equal once they are mapped. */
  readonly items?: 'first';
  /** How many levels of objects and arrays are mapped; default all. */
  readonly levels?: number;
}

/** Maps the leaves of JSON, drops keys that may be data, and sorts the rest, as some services shuffle them. */
export function mapJson(value: unknown, how: Mapping, key = ''): Json {
  if (typeof value !== 'object') return how.leaf(value as string, key);
  if (value === null) return null;
  const { levels = Number.POSITIVE_INFINITY, items } = how;
  const inner = { ...how, levels: levels - 1 };
  if (Array.isArray(value)) {
    const shown = value.slice(0, levels < 1 ? 0 : items && 1);
    const mapped = shown.map((item) => mapJson(item, inner, key));
    return [...new Map(mapped.map((item) => [JSON.stringify(item), item])).values()];
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
