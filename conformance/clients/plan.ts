import type { Exchange } from '../../mocks/journal/exchange.ts';
import type { Group } from './grouping.ts';
import type { Trial } from './trials.ts';

/**
 * Why the tests are run. `plain`: whether they pass with the plain mock, and pass again. `try`: with a group, with one
 * trial of a group that failed, or with fewer trials of it. `control`: once more with the plain mock, after a failure.
 * `confirm`: whether what failed fails again.
 */
export type Purpose = 'plain' | 'try' | 'control' | 'confirm';

/** What to run next: the tests with the plain mock, or with one that all of these trials change. */
export interface PlannedRun {
  readonly purpose: Purpose;
  /** Empty for the plain mock. */
  readonly trials: readonly Trial[];
}

/** A run of the tests that has ended. */
export interface EndedRun extends PlannedRun {
  /** How the tests failed, such as `failed with status 1`; absent if they passed or were cut off. */
  readonly failure?: string;
  /** Present if the budget ended the run: whether the tests would have passed is unknown. */
  readonly isCutOff?: true;
  /** The end of what the tests wrote, with what failed. It may contain anything. */
  readonly output: string;
  /** How many responses each trial changed, by its name. */
  readonly changed: Readonly<Record<string, number>>;
  /** How many requests came to mocks that behaved like each trial, by its name. */
  readonly answered: Readonly<Record<string, number>>;
  /** The last requests of the app, with their responses. */
  readonly exchanges: readonly Exchange[];
  /** Milliseconds. */
  readonly duration: number;
}

/** How often the tests have to pass with the plain mock before anything can be said. */
const plainRuns = 2;

/**
 * The next run, from what is known; `undefined` if nothing is left to run, or the tests have failed with the plain mock:
 * then nothing can be said, or they have proved unsteady.
 * @param budget milliseconds that all runs may take together. What has failed is confirmed in any case.
 */
export function nextRun(
  groups: readonly Group[],
  runs: readonly EndedRun[],
  budget: number = Infinity,
): PlannedRun | undefined {
  const plain = runs.filter(({ purpose, isCutOff }) => purpose === 'plain' && !isCutOff);
  if (plain.some(isFailure)) return undefined;
  const next: PlannedRun | undefined =
    plain.length < plainRuns ? { purpose: 'plain', trials: [] } : nextTry(groups, runs);
  if (next !== undefined && hasTime(next, groups, runs, budget)) return next;
  return plain.length < plainRuns ? undefined : nextConfirmation(groups, runs);
}

/** Each group, and each trial of a group that failed; then fewer trials of a group that failed though none of them did. */
function nextTry(groups: readonly Group[], runs: readonly EndedRun[]): PlannedRun | undefined {
  for (const group of groups) {
    const tried = findRun(runs, 'try', group);
    if (tried === undefined) return { purpose: 'try', trials: group };
    const untried = group.find((trial) => findRun(runs, 'try', [trial]) === undefined);
    if (isFailure(tried) && untried !== undefined) return { purpose: 'try', trials: [untried] };
  }
  for (const group of groups) {
    const { next } = narrowed(group, runs);
    if (next !== undefined) return { purpose: 'try', trials: next };
  }
  return undefined;
}

/**
 * Whether there is time for another run, and to confirm what has failed so far. A run with a group can take much longer
 * than others, if tests wait for what does not come.
 */
function hasTime(
  next: PlannedRun,
  groups: readonly Group[],
  runs: readonly EndedRun[],
  budget: number,
): boolean {
  const suspects = suspectsOf(groups, runs);
  const failed = suspects.flatMap((trials) => findRun(runs, 'try', trials) ?? []);
  const control = failed.length === 0 ? 0 : longestOf(runs.filter(isPlain));
  const confirming = control + timeOf(failed);
  const expected = longestOf(runs.filter(({ trials }) => trials.length <= next.trials.length));
  const spent = timeOf(runs);
  return spent < budget && spent + expected + confirming <= budget;
}

/** Whether a run was with the plain mock. */
export function isPlain({ trials }: PlannedRun): boolean {
  return trials.length === 0;
}

/** How many milliseconds the longest of some runs took. */
export function longestOf(runs: readonly EndedRun[]): number {
  return Math.max(0, ...runs.map(({ duration }) => duration));
}

/** How many milliseconds runs took together. */
export function timeOf(runs: readonly EndedRun[]): number {
  return runs.reduce((sum, { duration }) => sum + duration, 0);
}

function nextConfirmation(
  groups: readonly Group[],
  runs: readonly EndedRun[],
): PlannedRun | undefined {
  const suspects = suspectsOf(groups, runs);
  if (suspects.length === 0) return undefined;
  const control = findRun(runs, 'control', []);
  if (control === undefined) return { purpose: 'control', trials: [] };
  if (isFailure(control)) return undefined;
  const trials = suspects.find((suspect) => findRun(runs, 'confirm', suspect) === undefined);
  return trials && { purpose: 'confirm', trials };
}

/**
 * What may break the app: each trial that failed alone, and of each group that failed without one of its trials failing
 * alone, the fewest trials known to fail together. Their combination explains it, or a trial that there was no time for.
 */
export function suspectsOf(
  groups: readonly Group[],
  runs: readonly EndedRun[],
): (readonly Trial[])[] {
  return groups.flatMap((group): (readonly Trial[])[] => {
    if (!isFailure(findRun(runs, 'try', group))) return [];
    const failed = failedAlone(group, runs);
    return failed.length === 0 ? [narrowed(group, runs).trials] : failed.map((trial) => [trial]);
  });
}

function failedAlone(group: Group, runs: readonly EndedRun[]): Trial[] {
  return group.filter((trial) => isFailure(findRun(runs, 'try', [trial])));
}

/** How far it is known which trials of a group fail together. */
interface Narrowed {
  /** Those that are left; all of them if the group did not fail, or if one of them failed alone. */
  readonly trials: readonly Trial[];
  /** What to run in order to leave out more; `undefined` if the app would survive with any of them left out. */
  readonly next?: readonly Trial[];
}

/** Narrows down which trials of a group fail together, if none of them fails alone. */
export function narrowed(group: Group, runs: readonly EndedRun[]): Narrowed {
  const isTogether =
    isFailure(findRun(runs, 'try', group)) && failedAlone(group, runs).length === 0;
  return isTogether ? leaveOutParts(group, runs) : { trials: group };
}

/**
 * Leaves out half of a group, then the other half, quarters, and so on to single trials, as long as the rest still fails.
 * A combination of two is found in a few runs, however many trials its group has.
 */
function leaveOutParts(group: Group, runs: readonly EndedRun[]): Narrowed {
  let trials: readonly Trial[] = group;
  for (const size of halvesOf(group.length)) {
    let start = 0;
    while (start < trials.length) {
      const rest = [...trials.slice(0, start), ...trials.slice(start + size)];
      const run = findRun(runs, 'try', rest);
      // Each trial has been tried alone, and has passed, if there was time for it.
      if (run === undefined && rest.length > 1) return { trials, next: rest };
      if (isFailure(run)) trials = rest;
      else start += size;
    }
  }
  return { trials };
}

/** Half of a number, half of that, and so on to 1. */
function halvesOf(number: number): number[] {
  if (number <= 1) return [];
  const half = Math.ceil(number / 2);
  return [half, ...halvesOf(half)];
}

/** Whether there was a run, and the tests failed in it. */
export function isFailure(run: EndedRun | undefined): boolean {
  return run?.failure !== undefined;
}

/** The run with exactly these trials and this purpose, if there was one that was not cut off. */
export function findRun(
  runs: readonly EndedRun[],
  purpose: Purpose,
  trials: readonly Trial[],
): EndedRun | undefined {
  return runs.find(
    (run) =>
      run.purpose === purpose &&
      !run.isCutOff &&
      run.trials.length === trials.length &&
      run.trials.every(({ name }, index) => name === trials[index]?.name),
  );
}
