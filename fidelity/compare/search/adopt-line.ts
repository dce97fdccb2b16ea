import { isDeepStrictEqual } from 'node:util';
import { hiddenBy, type RowId } from '../../../interface/silent.ts';
import type { FoundDifference, Line } from '../model/comparison.ts';
import type { Explanation } from './explain.ts';

/** The line of a difference, and those that fit as well. */
type Lines = Required<Pick<FoundDifference, 'line' | 'others'>>;

/**
 * Chooses the line that explains a new difference beside those that were found before: a row has one
 * value. Where that of an earlier difference was one of several that fit, it becomes the new one; so
 * does a line of a row that the new one hides, as an absent operation hides its refusals.
 */
export function adoptLine(
  { line, others }: Explanation,
  found: FoundDifference[],
): Lines | undefined {
  const fitting = [line, ...others].filter((one) => found.every((earlier) => agrees(earlier, one)));
  const [chosen, ...more] = fitting;
  if (chosen === undefined) return undefined;
  const hidden = hiddenBy(chosen.row, chosen.value);
  for (const [index, earlier] of found.entries()) {
    const { line: old, others: before = [] } = earlier;
    const isHidden = old !== undefined && hidden.includes(old.row) && fits(earlier, chosen);
    if (old?.row !== chosen.row && !isHidden) continue;
    const others = before.filter((one) => isOfOtherRow(one) && !hidden.includes(one.row));
    found[index] = { ...earlier, line: chosen, others };
  }
  const isKnown = found.some((earlier) => earlier.line?.row === chosen.row);
  return { line: chosen, others: isKnown ? more.filter(isOfOtherRow) : more };

  function isOfOtherRow({ row }: Line): boolean {
    return row !== chosen?.row;
  }
}

/** Whether a line can explain an earlier difference that its row explains. */
function agrees(earlier: FoundDifference, one: Line): boolean {
  return earlier.line?.row !== one.row || fits(earlier, one);
}

function fits({ line, others = [] }: FoundDifference, one: Line): boolean {
  return [line, ...others].some((fitting) => isDeepStrictEqual(fitting, one));
}

/**
 * Takes back the line of a row without which the mock does as the target does. What it explained gets
 * another line that fits, if there is one.
 */
export function withdrawLine(row: RowId, found: FoundDifference[]): void {
  for (const [index, { line, others = [], ...difference }] of found.entries()) {
    if (line?.row !== row) continue;
    const fitting = others.filter(
      (one) => one.row !== row && found.every(({ line }) => line?.row !== one.row),
    );
    const [next, ...more] = fitting;
    found[index] = { ...difference, ...(next && { line: next, others: more }) };
  }
}
