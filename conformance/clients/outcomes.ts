import type { Group } from './grouping.ts';
import {
  type EndedRun,
  findRun,
  isFailure,
  isPlain,
  longestOf,
  narrowed,
  suspectsOf,
} from './plan.ts';
import type { Trial } from './trials.ts';

/** Every {@link TrialOutcome}, as reports count them. */
export const trialOutcomes = [
  'survived',
  'broken',
  'unsteady',
  'unconfirmed',
  'not-met',
  'not-tried',
] as const;

/**
 * How an app did under a trial. `broken`: its tests failed twice, and passed with the plain mock in between. `unsteady`:
 * they failed once, and then passed with it, or failed with the plain mock. `unconfirmed`: they failed, and were
 * interrupted before they could fail again. `not-met`: they passed, but no response was any different.
 */
export type TrialOutcome = (typeof trialOutcomes)[number];

/** Why tests that failed are called unsteady: they passed with the same trials, or they failed with the plain mock. */
export type WhyUnsteady = 'passed-again' | 'control-failed';

/** How long a run took that the budget ended. */
export interface CutOff {
  /** Milliseconds until it was ended. */
  readonly duration: number;
  /** Milliseconds of the longest run with the plain mock. */
  readonly plainDuration: number;
}

/** How the app did under one trial, or under several together of which none fails alone. */
export interface TrialFinding {
  readonly trials: readonly [Trial, ...Trial[]];
  readonly outcome: TrialOutcome;
  /** Of an unsteady outcome. */
  readonly whyUnsteady?: WhyUnsteady;
  /** The run that decided. Absent if there was none. */
  readonly run?: EndedRun;
  /** Of what was not tried: the run with it that the budget ended, if there was one. */
  readonly cutOff?: CutOff;
  /** Of several trials: those that there was no time to try alone. */
  readonly untried?: readonly Trial[];
  /** Of several trials: present if the app survives with any of them left out. */
  readonly isSmallest?: true;
}

/** What the runs say about each trial, in the order of the groups, and about combinations that failed. */
export function findingsOf(groups: readonly Group[], runs: readonly EndedRun[]): TrialFinding[] {
  return [
    ...groups.flatMap((group) => group.map((trial) => findingOf(trial, group, runs))),
    ...groups.flatMap((group) =>
      suspectsOf([group], runs)
        .filter(isCombination)
        .map((trials) => combinationFinding(trials, group, runs)),
    ),
  ];
}

function isCombination(trials: readonly Trial[]): trials is readonly [Trial, Trial, ...Trial[]] {
  return trials.length > 1;
}

function findingOf(trial: Trial, group: Group, runs: readonly EndedRun[]): TrialFinding {
  const together = findRun(runs, 'try', group);
  const run = findRun(runs, 'try', [trial]) ?? (isFailure(together) ? undefined : together);
  const trials = [trial] as const;
  if (run === undefined) return { trials, outcome: 'not-tried', ...cutOffOf(trial, runs) };
  if (isFailure(run)) return { trials, ...confirmed([trial], run, runs) };
  const isMet = (run.changed[trial.name] ?? 0) > 0;
  return { trials, outcome: isMet ? 'survived' : 'not-met', run };
}

function cutOffOf(trial: Trial, runs: readonly EndedRun[]): Pick<TrialFinding, 'cutOff'> {
  const run = runs.find(
    ({ isCutOff, trials }) => isCutOff && trials.some(({ name }) => name === trial.name),
  );
  if (run === undefined) return {};
  return { cutOff: { duration: run.duration, plainDuration: longestOf(runs.filter(isPlain)) } };
}

function combinationFinding(
  trials: readonly [Trial, Trial, ...Trial[]],
  group: Group,
  runs: readonly EndedRun[],
): TrialFinding {
  const run = findRun(runs, 'try', trials);
  const untried = trials.filter((trial) => findRun(runs, 'try', [trial]) === undefined);
  const isNarrowed = narrowed(group, runs).next === undefined;
  const extent = untried.length > 0 ? { untried } : isNarrowed && { isSmallest: true as const };
  return { trials, ...confirmed(trials, run, runs), ...extent };
}

/** A failure counts only if it happens again after a plain run that passes. */
function confirmed(
  trials: readonly Trial[],
  run: EndedRun | undefined,
  runs: readonly EndedRun[],
): Pick<TrialFinding, 'outcome' | 'whyUnsteady' | 'run'> {
  const again = findRun(runs, 'confirm', trials);
  const decisive = again ?? run;
  return { ...outcomeOfFailure(again, runs), ...(decisive && { run: decisive }) };
}

function outcomeOfFailure(
  again: EndedRun | undefined,
  runs: readonly EndedRun[],
): Pick<TrialFinding, 'outcome' | 'whyUnsteady'> {
  if (isFailure(again)) return { outcome: 'broken' };
  if (again !== undefined) return { outcome: 'unsteady', whyUnsteady: 'passed-again' };
  if (!isFailure(findRun(runs, 'control', []))) return { outcome: 'unconfirmed' };
  return { outcome: 'unsteady', whyUnsteady: 'control-failed' };
}
