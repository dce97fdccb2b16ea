import { isDeepStrictEqual } from 'node:util';
import { hiddenBy, type RowId } from '../../../interface/silent.ts';
import type { FoundDifference, Line } from '../model/comparison.ts';
import type { Explanation } from './explain.ts';

/** The line of a difference, and those that fit as well. */
type Lines = Required<Pick<FoundDifference, 'line' | 'others'>>;

/**
 * Chooses the line that explains a new difference beside those that were found before: a row has one
 * value. Where that of an earlier difference was one of several lines that fit, another of them takes
 * its place; so does a line that hides its row, as an absent operation hides its refusals.
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
    const rest = before.filter((one) => isOfOtherRow(one) && !hidden.includes(one.row));
    found[index] = fits(earlier, chosen)
      ? { ...earlier, line: chosen, others: rest }
      : withoutRow(earlier, chosen.row);
  }
  const isKnown = found.some((earlier) => earlier.line?.row === chosen.row);
  return { line: chosen, others: isKnown ? more.filter(isOfOtherRow) : more };

  function isOfOtherRow({ row }: Line): boolean {
    return row !== chosen?.row;
  }
}

/** Whether an earlier difference that the row of a line explains is explained by it too, or by another row. */
function agrees(earlier: FoundDifference, one: Line): boolean {
  const { line, others = [] } = earlier;
  return line?.row !== one.row || fits(earlier, one) || others.some(({ row }) => row !== one.row);
}

function fits({ line, others = [] }: FoundDifference, one: Line): boolean {
  return [line, ...others].some((fitting) => isDeepStrictEqual(fitting, one));
}

/** Takes back the line of a row without which the mock does as the target does. */
export function withdrawLine(row: RowId, found: FoundDifference[]): void {
  for (const [index, difference] of found.entries()) {
    if (difference.line?.row === row) found[index] = withoutRow(difference, row);
  }
}

/** A difference that a row does not explain: with another line that fits, if there is one. */
function withoutRow(
  { line: _, others = [], ...difference }: FoundDifference,
  row: RowId,
): FoundDifference {
  const [line, ...more] = others.filter((one) => one.row !== row);
  return { ...difference, ...(line && { line, others: more }) };
}
