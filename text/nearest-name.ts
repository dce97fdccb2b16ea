import { closest, distance } from 'fastest-levenshtein';

/** The known name that was probably meant: it begins with what was typed, or at most half of the typed letters are wrong. */
export function nearestName(typed: string, knownNames: readonly string[]): string | undefined {
  const completions = typed === '' ? [] : knownNames.filter((name) => name.startsWith(typed));
  const nearest = closest(typed, completions.length > 0 ? completions : knownNames);
  const isNear = completions.length > 0 || distance(typed, nearest) <= typed.length / 2;
  return isNear ? nearest : undefined;
}

/** The end of a sentence about a wrong name: `, perhaps NAME`, or nothing. */
export function orNearest(typed: string, knownNames: readonly string[]): string {
  const nearest = nearestName(typed, knownNames);
  return nearest === undefined ? '' : `, perhaps ${nearest}`;
}
