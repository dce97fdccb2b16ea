import { closest, distance } from 'fastest-levenshtein';

/**
 * The known name that was probably meant: it begins with what was typed, has the same letters in another order, or at
 * most a third of the typed letters are wrong.
 */
export function nearestName(typed: string, knownNames: readonly string[]): string | undefined {
  if (typed === '') return undefined;
  const completions = knownNames.filter((name) => name.startsWith(typed));
  if (completions.length > 0) return closest(typed, completions);
  const letters = sortedLetters(typed);
  const withSameLetters = knownNames.find((name) => sortedLetters(name) === letters);
  if (withSameLetters !== undefined) return withSameLetters;
  const nearest = closest(typed, knownNames);
  return distance(typed, nearest) <= typed.length / 3 ? nearest : undefined;
}

function sortedLetters(name: string): string {
  return [...name].sort().join('');
}

/** The end of a sentence about a wrong name: `, perhaps NAME`, or nothing. */
export function orNearest(typed: string, knownNames: readonly string[]): string {
  const nearest = nearestName(typed, knownNames);
  return nearest === undefined ? '' : `, perhaps ${nearest}`;
}
