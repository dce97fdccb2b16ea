import type { Trial } from './trials.ts';

/** Trials that one service can be at once. */
export type Group<Member = Trial> = readonly [Member, ...Member[]];

/** What can be put into a group. */
type Groupable = Pick<Trial, 'families'>;

/**
 * Puts trials that do not contradict each other into groups, as few as possible and about equally large: a mock answers a
 * request once more for each trial of its group, and when a group fails, each of its trials is tried alone. If each trial
 * has one family, there are as many groups as the largest family has trials. The groups come in the order of their first
 * trials. Every trial that is alone has a group of its own, after all others.
 */
export function groupTrials<Member extends Groupable>(
  trials: readonly Member[],
  isAlone: (trial: Member) => boolean,
): Group<Member>[] {
  const together = trials.filter((trial) => !isAlone(trial));
  const groups: [Member, ...Member[]][] = [];
  const fewest = countGroups(together);
  for (const trial of mostContradictedFirst(together)) {
    const fitting = groups.filter((members) => members.every((member) => fits(member, trial)));
    const [smallest] = fitting.toSorted((one, other) => one.length - other.length);
    if (smallest === undefined || groups.length < fewest) groups.push([trial]);
    else smallest.push(trial);
  }
  const place = (trial: Member): number => trials.indexOf(trial);
  for (const group of groups) group.sort((one, other) => place(one) - place(other));
  groups.sort(([one], [other]) => place(one) - place(other));
  return [...groups, ...trials.filter(isAlone).map((trial): Group<Member> => [trial])];
}

/** How many groups there are if each trial goes into the first that it fits. */
function countGroups(trials: readonly Groupable[]): number {
  const groups: Groupable[][] = [];
  for (const trial of mostContradictedFirst(trials)) {
    const group = groups.find((members) => members.every((member) => fits(member, trial)));
    if (group === undefined) groups.push([trial]);
    else group.push(trial);
  }
  return groups.length;
}

/** Trials in an order in which those that are hard to place come first. */
function mostContradictedFirst<Member extends Groupable>(trials: readonly Member[]): Member[] {
  const contradictions = new Map(
    trials.map((trial) => [trial, trials.filter((other) => !fits(trial, other)).length]),
  );
  const count = (trial: Member): number => contradictions.get(trial) ?? 0;
  return trials.toSorted((one, other) => count(other) - count(one));
}

function fits(one: Groupable, other: Groupable): boolean {
  return !one.families.some((family) => other.families.includes(family));
}
