import type { JsonObject } from '../conformance/target/expectations.ts';
import type { Json } from '../interface/json.ts';
import { isPlainKey } from './form.ts';

/** Keys of an object that have a sample. */
const mostKeys = 100;

/** Levels of objects in a sample. */
export const deepestSample = 2;

/**
 * Samples of the keys that are not known, in the order of their names. They are made up from the types of
 * the values, so that nobody's data leaves the service.
 * @param depth at which the samples stand: those at {@link deepestSample} show no keys
 */
export function samplesOf(
  record: JsonObject,
  known: ReadonlySet<string>,
  depth: number = 0,
): Record<string, Json> {
  const further = Object.entries(record)
    .filter(([key]) => !known.has(key) && isPlainKey(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, mostKeys);
  return Object.fromEntries(further.map(([key, value]) => [key, sampleOf(value, depth)]));
}

function sampleOf(value: unknown, depth: number): Json {
  if (typeof value === 'string') return ['stream', 'session'].includes(value) ? value : 'text';
  if (typeof value === 'number') return Number.isInteger(value) ? 0 : 0.5;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return null;
  return depth < deepestSample ? samplesOf(value as JsonObject, none, depth + 1) : {};
}

const none: ReadonlySet<string> = new Set();
