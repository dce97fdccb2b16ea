import { closest, distance } from 'fastest-levenshtein';

/** The known name that was probably meant: it begins with the typed one, or differs from it in at most half of its letters. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const longer = typed === '' ? [] : known.filter((name) => name.startsWith(typed));
  const nearest = closest(typed, longer.length > 0 ? longer : known);
  const isNear = longer.length > 0 || distance(typed, nearest) <= typed.length / 2;
  return isNear ? nearest : undefined;
}

/** The end of a sentence about a wrong name: `, perhaps NAME`, or nothing. */
export function orNearest(typed: string, known: readonly string[]): string {
  const nearest = nearestName(typed, known);
  return nearest === undefined ? '' : `, perhaps ${nearest}`;
}
