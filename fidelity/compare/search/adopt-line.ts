import { isDeepStrictEqual } from 'node:util';
import type { FoundDifference, Line } from '../model/comparison.ts';
import type { Explanation } from './explain.ts';

/** The line of a difference, and those that fit as well. */
type Lines = Required<Pick<FoundDifference, 'line' | 'others'>>;

/**
 * Chooses the line that explains a new difference beside those that were found before: a row has one
 * value. Where that of an earlier difference was one of several that fit, it becomes the new one.
 */
export function adoptLine(
  { line, others }: Explanation,
  found: FoundDifference[],
): Lines | undefined {
  const fitting = [line, ...others].filter((one) => found.every((earlier) => agrees(earlier, one)));
  const [chosen, ...more] = fitting;
  if (chosen === undefined) return undefined;
  for (const [index, earlier] of found.entries()) {
    if (earlier.line?.row !== chosen.row) continue;
    const { others: before = [] } = earlier;
    found[index] = { ...earlier, line: chosen, others: before.filter(isOfOtherRow) };
  }
  const isKnown = found.some((earlier) => earlier.line?.row === chosen.row);
  return { line: chosen, others: isKnown ? more.filter(isOfOtherRow) : more };

  function isOfOtherRow({ row }: Line): boolean {
    return row !== chosen?.row;
  }
}

/** Whether a line can explain an earlier difference that its row explains. */
function agrees({ line, others = [] }: FoundDifference, one: Line): boolean {
  return line?.row !== one.row || [line, ...others].some((fits) => isDeepStrictEqual(fits, one));
}
