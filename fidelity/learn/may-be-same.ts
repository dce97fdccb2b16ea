import { isDeepStrictEqual } from 'node:util';
import type { LowerLimit, UpperLimit } from '../../interface/silent-row.ts';

/**
 * Whether a service may do what a dialect says, by what was learned of it. A limit is learned as lying
 * between two values, a length of a page as a least one: they differ only from what they exclude.
 */
export function mayBeSame(stated: unknown, learned: unknown): boolean {
  if (isDeepStrictEqual(stated, learned)) return true;
  const [one, other] = [rangeOf(stated), rangeOf(learned)];
  if (one === undefined || other === undefined) return false;
  const isRefusedAlike =
    one.refusal === undefined ||
    other.refusal === undefined ||
    isDeepStrictEqual(one.refusal, other.refusal);
  return isRefusedAlike && one.least < other.end && other.least < one.end;
}

/** Where a limit lies: at `least` or above, and below `end`. A smallest value is counted downwards. */
interface Range extends Pick<UpperLimit, 'refusal'> {
  readonly least: number;
  readonly end: number;
}

function rangeOf(value: unknown): Range | undefined {
  if (typeof value === 'number') return { least: value, end: value + 1 };
  if (typeof value !== 'object' || value === null) return undefined;
  const { atLeast, below, atMost, above, refusal } = value as Partial<UpperLimit & LowerLimit>;
  const [least, end = Number.POSITIVE_INFINITY] =
    atMost === undefined ? [atLeast, below] : [-atMost, above === undefined ? above : -above];
  if (least === undefined) return undefined;
  return { least, end, ...(refusal !== undefined && { refusal }) };
}
