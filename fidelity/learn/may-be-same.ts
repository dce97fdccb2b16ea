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

/** Where a limit lies: at `least` or above, and below `end`. Numbers of a lower limit have the other sign. */
interface Range extends Pick<UpperLimit, 'refusal'> {
  readonly least: number;
  readonly end: number;
}

const noEnd = Number.POSITIVE_INFINITY;

function rangeOf(value: unknown): Range | undefined {
  if (typeof value === 'number') return { least: value, end: value + 1 };
  if (typeof value !== 'object' || value === null) return undefined;
  const { atLeast, below, atMost, above, refusal } = value as Partial<UpperLimit & LowerLimit>;
  const shared = refusal === undefined ? {} : { refusal };
  if (atLeast !== undefined) return { least: atLeast, end: below ?? noEnd, ...shared };
  if (atMost !== undefined) return { least: -atMost, end: -(above ?? -noEnd), ...shared };
  return undefined;
}
