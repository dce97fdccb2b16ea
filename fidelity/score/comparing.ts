import { isDeepStrictEqual } from 'node:util';
import type { Signature } from '../compare/model/signature.ts';
import { compareMock, dialectOf, type Judged } from './judged.ts';
import { describeUnexpectedOfMocks } from './unexpected.ts';

/** How `compare` judged a mock that differs in one value. */
export interface Compared {
  /** The difference without the dialect; absent where it was not found. */
  readonly found: Signature | undefined;
  /** Whether the row and value were named with the difference. */
  readonly named: boolean;
  /** What was found although the dialect says the value. */
  readonly unexpected: readonly string[];
}

/** Operations within which a difference must be found. */
export const foundWithin = 2_000;
/** Operations in which none may be found with the right dialect. */
const cleanFor = 5_000;

/** Compares a mock that differs in one value with the usual mock, and with one that does as it does. */
export async function judgeComparing(judged: Judged): Promise<Compared> {
  const target = dialectOf(judged);
  const without = await compareMock(target, { operations: foundWithin, most: 1 });
  const [found] = without.differences;
  const withIt = await compareMock(target, { dialect: target, operations: cleanFor, most: 5 });
  return {
    found: found?.found,
    named: found?.line?.row === judged.row && isDeepStrictEqual(found.line.value, judged.value),
    unexpected: describeUnexpectedOfMocks(withIt, cleanFor),
  };
}
