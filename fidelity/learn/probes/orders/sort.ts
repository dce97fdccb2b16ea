import type { Check } from '../../../../interface/silent-orders.ts';

/** Two kinds of errors. */
export type Pair = readonly [Check, Check];

/** Whether no request can have two errors at once. */
function excludeEachOther(one: Check, other: Check): boolean {
  const keys: readonly Check[] = ['wrong-key', 'no-key'];
  const contents: readonly Check[] = ['body', 'fields'];
  return [keys, contents].some((group) => group.includes(one) && group.includes(other));
}

/** Each two errors that one request can have. */
export function pairsOf(checks: readonly Check[]): Pair[] {
  return checks.flatMap((one, index) =>
    checks
      .slice(index + 1)
      .filter((other) => !excludeEachOther(one, other))
      .map((other): Pair => [one, other]),
  );
}

/** The checks in their order, except where one must stand before another. */
export function sortStably(checks: readonly Check[], before: readonly Pair[]): readonly Check[] {
  const left = [...checks];
  const sorted: Check[] = [];
  while (left.length > 0) {
    const isFree = (check: Check): boolean =>
      !before.some(([first, second]) => second === check && left.includes(first));
    const next = left.find(isFree) ?? left[0];
    if (next === undefined) break;
    left.splice(left.indexOf(next), 1);
    sorted.push(next);
  }
  return sorted;
}
