import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupBy } from '../model/group-by.ts';
import { groupTrials } from './grouping.ts';
import { trialOf } from './trials.test-support.ts';
import { combinationTrial, type Trial, variantTrials } from './trials.ts';

const isApart = (trial: Trial) => trial.isApart;

const family = fc.constantFrom('order', 'paging', 'ids', 'media', 'refusals');

/** Trials with different names, each with these families. */
function trialsWith(families: fc.Arbitrary<readonly string[]>): fc.Arbitrary<Trial[]> {
  const traits = fc.array(fc.record({ families, isApart: fc.boolean() }), { maxLength: 30 });
  return traits.map((list) =>
    list.map((trial, index) => ({ ...trialOf(`trial-${index}`), ...trial })),
  );
}

const anyTrials = trialsWith(fc.uniqueArray(family, { minLength: 1, maxLength: 3 }));
const trialsOfOneFamily = trialsWith(family.map((name) => [name]));

test('every trial is in exactly one group', () => {
  fc.assert(
    fc.property(anyTrials, (trials) => {
      const names = groupTrials(trials, isApart).flatMap((group) => group.map(({ name }) => name));
      expect(names.toSorted()).toEqual(trials.map(({ name }) => name).toSorted());
    }),
  );
});

test('no two trials of a group contradict each other', () => {
  fc.assert(
    fc.property(anyTrials, (trials) => {
      for (const group of groupTrials(trials, isApart)) {
        const families = group.flatMap((trial) => trial.families);
        expect(families.length).toBe(new Set(families).size);
      }
    }),
  );
});

test('there are as many groups as the largest family has trials', () => {
  fc.assert(
    fc.property(trialsOfOneFamily, (all) => {
      const trials = all.map((trial) => ({ ...trial, isApart: false }));
      const ofFamilies = groupBy(trials, ({ families }) => families.join());
      const largest = Math.max(0, ...ofFamilies.map(({ length }) => length));
      expect(groupTrials(trials, isApart)).toHaveLength(largest);
    }),
  );
});

test('a trial that has to be alone has a group of its own, after all others', () => {
  fc.assert(
    fc.property(anyTrials, (trials) => {
      const groups = groupTrials(trials, isApart);
      const firstApart = groups.findIndex(([{ isApart }]) => isApart);
      const last = firstApart === -1 ? [] : groups.slice(firstApart);
      expect(last.map((group) => group.length)).toEqual(last.map(() => 1));
      expect(last.length).toBe(trials.filter(({ isApart }) => isApart).length);
    }),
  );
});

test('a combination has a group of its own, and no other group has all of its variants', () => {
  const [a, b, c] = [trialOf('a'), trialOf('b'), trialOf('c')];
  const groups = groupTrials([a, b, c, combinationTrial([a, b])], isApart);
  const names = groups.map((group) => group.map(({ name }) => name));
  expect(names).toEqual([['a', 'c'], ['b'], ['a+b']]);
});

test('of the legal variants, there are as many groups as the largest family has', () => {
  const trials = variantTrials().filter(({ isApart }) => !isApart);
  const families = new Set(trials.flatMap((trial) => trial.families));
  const sizes = [...families].map(
    (family) => trials.filter((trial) => trial.families.includes(family)).length,
  );
  expect(groupTrials(trials, isApart)).toHaveLength(Math.max(...sizes));
});

test('the groups of legal variants are about equally large, each in the order of the variants', () => {
  const trials = variantTrials().filter(({ isApart }) => !isApart);
  const groups = groupTrials(trials, isApart);
  const sizes = groups.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
  for (const group of groups) {
    const places = group.map((trial) => trials.indexOf(trial));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
  const [[first]] = groups as [(typeof groups)[0]];
  expect(first).toBe(trials[0]);
});
