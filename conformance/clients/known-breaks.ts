import * as z from 'zod';
import { orNearest } from '../../text/nearest-name.ts';
import { parseReviewed } from '../../text/reviewed-file.ts';
import { fits } from './grouping.ts';
import { combinationTrial, nameOfTrials, type Trial } from './trials.ts';

/** Why an app may break under a trial, by the trial's name; that of several at once is theirs, joined by `+`. */
export type KnownBreaks = ReadonlyMap<string, string>;

const breakSchema = z.strictObject(
  { variant: z.string('a name'), reason: z.string('a reason').min(1, 'a reason') },
  'an object with only variant and reason',
);

const fileSchema = z.strictObject(
  { known: z.array(breakSchema, 'an array') },
  'an object with only the key known',
);

/**
 * Reads a file of variants that are known to break an app.
 * @param trials everything that can be named
 * @throws TypeError with a one-sentence message for invalid text, an unknown variant, and variants that are never together.
 */
export function parseKnownBreaks(text: string, trials: readonly Trial[]): KnownBreaks {
  const { known } = parseReviewed(text, fileSchema);
  return new Map(
    known.map(({ variant, reason }, index) => {
      const named = trialsNamed(variant, trials, `known[${index}].variant`);
      return [nameOfTrials(named), reason];
    }),
  );
}

/** The trials of an entry, in their own order. The path of a dialect may contain a `+`. */
function trialsNamed(variant: string, trials: readonly Trial[], where: string): readonly Trial[] {
  const single = trials.find(({ name }) => name === variant);
  if (single !== undefined) return [single];
  const names = variant.split('+');
  const known = trials.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const expected = `the name of a variant${orNearest(unknown, known)}`;
    throw new TypeError(`${where}: expected ${expected}`);
  }
  const named = trials.filter(({ name }) => names.includes(name));
  if (areTogether(named)) return named;
  throw new TypeError(
    `${where}: expected variants that one service can be at once, and none that is always run alone`,
  );
}

function areTogether(trials: readonly Trial[]): boolean {
  const isPossible = (one: Trial, other: Trial): boolean => one === other || fits(one, other);
  return trials.every((one) => !one.isApart && trials.every((other) => isPossible(one, other)));
}

/** The combinations that are known to break an app, as far as all of their variants are tried. */
export function knownCombinations(known: KnownBreaks, trials: readonly Trial[]): Trial[] {
  const tried = new Set(trials.map(({ name }) => name));
  return [...known.keys()].flatMap((text) => {
    const names = text.split('+');
    if (tried.has(text) || names.length === 1 || !names.every((name) => tried.has(name))) return [];
    return [combinationTrial(trials.filter(({ name }) => names.includes(name)))];
  });
}
