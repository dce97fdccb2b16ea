import type { Exchange } from '../model/report.ts';

const exchangesByValue = new WeakMap<object, readonly Exchange[]>();

/**
 * Remembers the exchanges in which a value came: a response, or an object or list read from one. A
 * failure that names the value shows them as its evidence. Returns the value.
 */
export function rememberExchanges<Value extends object>(
  value: Value,
  exchanges: readonly Exchange[],
): Value {
  exchangesByValue.set(value, exchanges);
  return value;
}

/** The exchanges in which values came, each once, in the order of the values. */
export function exchangesOf(values: readonly object[]): Exchange[] {
  return [...new Set(values.flatMap((value) => exchangesByValue.get(value) ?? []))];
}
