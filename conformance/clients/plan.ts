import type { Exchange } from '../../mocks/journal/exchange.ts';
import type { Group } from './grouping.ts';
import type { Trial } from './trials.ts';

/**
 * Why the tests are run. `plain`: whether they pass with the plain mock, and pass again. `try`: with a group, or with one
 * trial of a group that failed. `control`: once more with the plain mock, after a failure. `confirm`: whether what
 * failed fails again.
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

/** Each group, and each trial of a group that failed. */
function nextTry(groups: readonly Group[], runs: readonly EndedRun[]): PlannedRun | undefined {
  for (const group of groups) {
    const tried = findRun(runs, 'try', group);
    if (tried === undefined) return { purpose: 'try', trials: group };
    const untried = group.find((trial) => findRun(runs, 'try', [trial]) === undefined);
    if (isFailure(tried) && untried !== undefined) return { purpose: 'try', trials: [untried] };
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
 * What may break the app: each trial that failed alone, and each group that failed without one of its trials failing
 * alone, which their combination explains, or one that there was no time for.
 */
export function suspectsOf(
  groups: readonly Group[],
  runs: readonly EndedRun[],
): (readonly Trial[])[] {
  return groups.flatMap((group): (readonly Trial[])[] => {
    if (!isFailure(findRun(runs, 'try', group))) return [];
    const failed = group.filter((trial) => isFailure(findRun(runs, 'try', [trial])));
    return failed.length === 0 ? [group] : failed.map((trial) => [trial]);
  });
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
