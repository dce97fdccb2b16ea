import { isObject, type Json } from '../interface/json.ts';
import { mapJson } from './json.ts';

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
  return mapJson(value, { leaf, items: 'first', levels });
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
