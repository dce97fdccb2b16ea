import type { JsonObject } from '../conformance/target/expectations.ts';

/** A value of JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of JSON as text, such as an id. `String` throws for an object that has its own `toString`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
