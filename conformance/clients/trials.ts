import type { Dialect } from '../../interface/dialect/dialect.ts';
import { variantFamilies, variantNames } from '../../mocks/variants/families.ts';
import { variants } from '../../mocks/variants/variants.ts';
import { orNearest } from '../../text/nearest-name.ts';

/** A service that an app's tests are run with: a legal variant, or a dialect. */
export interface Trial {
  readonly name: string;
  /** What the service did, in the words of an app's developer: `Lists came oldest first.` */
  readonly statement: string;
  /** The clause that leaves it open, and why. A dialect has neither, as it may break a rule. */
  readonly clause?: string;
  readonly argument?: string;
  /** What a test has to do to meet it: the end of "A test would have to …". */
  readonly metBy: string;
  /** What to do if only the set-up of a test breaks, in a sentence. */
  readonly ofTest?: string;
  /** What it settles. Two trials that settle the same thing contradict each other. */
  readonly families: readonly string[];
  /** Whether it is run on its own, because it may break a rule, or because most apps or their tests cannot survive it. */
  readonly isApart: boolean;
  /** The dialect, of a trial that is one. All others are variants. */
  readonly dialect?: Dialect;
  /** The variants, of a trial that is several at once. Its name is theirs, joined by `+`. */
  readonly combined?: readonly Trial[];
}

/** Every legal variant that an app can notice, the most telling first. */
export function variantTrials(): Trial[] {
  return variantNames.flatMap((name) => {
    const {
      statement,
      clause,
      argument,
      metBy,
      ofTest,
      audience,
      isApart = false,
    } = variants[name];
    const families = variantFamilies[name];
    if (audience !== 'app') return [];
    const hint = ofTest !== undefined && { ofTest };
    return [{ name, statement, clause, argument, metBy, ...hint, families, isApart }];
  });
}

/** A dialect, by the name or the path that it was given. */
export function dialectTrial(name: string, dialect: Dialect): Trial {
  return {
    name,
    statement: `The service behaved as its dialect says: ${dialect.name ?? name}.`,
    metBy: 'send a request that the dialect changes',
    families: [],
    isApart: true,
    dialect,
  };
}

/** Several variants that are tried together whatever else is, such as those that are known to break an app together. */
export function combinationTrial(combined: readonly Trial[]): Trial {
  return {
    name: nameOfTrials(combined),
    statement: combined.map(({ statement }) => statement).join(' '),
    metBy: combined.map(({ metBy }) => metBy).join(', and '),
    families: combined.flatMap(({ families }) => families),
    isApart: false,
    combined,
  };
}

/** The name of what the tests were run with: that of a trial, or those of several, joined by `+`. */
export function nameOfTrials(trials: readonly Trial[]): string {
  return trials.map(({ name }) => name).join('+');
}

/** The dialect of a run with these trials, if one of them is a dialect. That one is run on its own. */
export function dialectOf(trials: readonly Trial[]): Dialect | undefined {
  return trials.find(({ dialect }) => dialect !== undefined)?.dialect;
}

/**
 * The trials with these names, in their own order; all of them if there are no names.
 * @throws TypeError for an unknown name, in one sentence.
 */
export function selectTrials(
  trials: readonly Trial[],
  names: readonly string[] | undefined,
): readonly Trial[] {
  if (names === undefined) return trials;
  const known = trials.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return trials.filter(({ name }) => names.includes(name));
  const expected = `the name of a variant${orNearest(unknown, known)}`;
  throw new TypeError(`expected ${expected}, got "${unknown}"`);
}
