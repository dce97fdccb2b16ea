import * as z from 'zod';

/** A value of JSON. */
export type Json = z.core.util.JSONType;

/** Schema of {@link Json}. */
export const jsonSchema: z.ZodType<Json> = z.json();

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON of a value with the keys of objects in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return String(
    JSON.stringify(value, (_, nested: unknown) =>
      isObject(nested)
        ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
        : nested,
    ),
  );
}

/** Whether two values are the same JSON, whatever the order of keys. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return (
    JSON.stringify(left) === JSON.stringify(right) || canonicalJson(left) === canonicalJson(right)
  );
}
