import type { Trial } from './trials.ts';

/** Trials that one service can be at once. */
export type Group<Member = Trial> = readonly [Member, ...Member[]];

/** What can be put into a group. */
type Groupable = Pick<Trial, 'name' | 'families' | 'combined'>;

/**
 * Puts trials that do not contradict each other into groups, as few as possible and about equally large: a mock answers a
 * request once more for each trial of its group, and when a group fails, each of its trials is tried alone. If each trial
 * has one family, there are as many groups as the largest family has trials. The groups come in the order of their first
 * trials. Every trial that is alone has a group of its own, after all others, and so has a combination: no other group has all
 * of its variants.
 */
export function groupTrials<Member extends Groupable>(
  trials: readonly Member[],
  isAlone: (trial: Member) => boolean,
): Group<Member>[] {
  const combinations = trials.flatMap(({ combined }) => (combined === undefined ? [] : [combined]));
  const hasOwnGroup = (trial: Member): boolean => trial.combined !== undefined || isAlone(trial);
  const together = trials.filter((trial) => !hasOwnGroup(trial));
  const groups: [Member, ...Member[]][] = [];
  const fewest = countGroups(together, combinations);
  for (const trial of mostContradictedFirst(together)) {
    const fitting = groups.filter((members) => fitsInto(members, trial, combinations));
    const [smallest] = fitting.toSorted((one, other) => one.length - other.length);
    if (smallest === undefined || groups.length < fewest) groups.push([trial]);
    else smallest.push(trial);
  }
  const place = (trial: Member): number => trials.indexOf(trial);
  for (const group of groups) group.sort((one, other) => place(one) - place(other));
  groups.sort(([one], [other]) => place(one) - place(other));
  return [...groups, ...trials.filter(hasOwnGroup).map((trial): Group<Member> => [trial])];
}

/** How many groups there are if each trial goes into the first that it fits. */
function countGroups(
  trials: readonly Groupable[],
  combinations: readonly (readonly Groupable[])[],
): number {
  const groups: Groupable[][] = [];
  for (const trial of mostContradictedFirst(trials)) {
    const group = groups.find((members) => fitsInto(members, trial, combinations));
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

/** Whether a trial contradicts no member of a group, and completes no combination in it. */
function fitsInto(
  members: readonly Groupable[],
  trial: Groupable,
  combinations: readonly (readonly Groupable[])[],
): boolean {
  const names = [trial, ...members].map(({ name }) => name);
  return (
    members.every((member) => fits(member, trial)) &&
    !combinations.some((combined) => combined.every(({ name }) => names.includes(name)))
  );
}

/** Whether two trials do not contradict each other. */
export function fits(one: Groupable, other: Groupable): boolean {
  return !one.families.some((family) => other.families.includes(family));
}
