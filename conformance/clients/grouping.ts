import type { Trial } from './trials.ts';

/** Trials that one service can be at once. */
export type Group = readonly [Trial, ...Trial[]];

/**
 * Puts each trial into the first group that it does not contradict, so that the first trials are in the first groups.
 * If each trial has one family, there are as many groups as the largest family has trials. Every trial that is alone
 * has a group of its own, after all others.
 */
export function groupTrials(trials: readonly Trial[], isAlone: (trial: Trial) => boolean): Group[] {
  const groups: [Trial, ...Trial[]][] = [];
  for (const trial of trials.filter((trial) => !isAlone(trial))) {
    const group = groups.find((members) => members.every((member) => fits(member, trial)));
    if (group === undefined) groups.push([trial]);
    else group.push(trial);
  }
  return [...groups, ...trials.filter(isAlone).map((trial): Group => [trial])];
}

function fits(one: Trial, other: Trial): boolean {
  return !one.families.some((family) => other.families.includes(family));
}
