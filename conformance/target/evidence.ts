import type { Exchange } from '../model/report.ts';

/** The exchanges in which a value came from the target: an answer, or an object or list read from it. */
const origins = new WeakMap<object, readonly Exchange[]>();

/** Remembers the exchanges in which a value came, for failures that rest on it; returns the value. */
export function rememberExchanges<Value extends object>(
  value: Value,
  exchanges: readonly Exchange[],
): Value {
  origins.set(value, exchanges);
  return value;
}

/** The exchanges in which values came, each once, in the order of the values. */
export function exchangesOf(values: readonly object[]): Exchange[] {
  return [...new Set(values.flatMap((value) => origins.get(value) ?? []))];
}
