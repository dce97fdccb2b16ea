import { expect, test } from 'vitest';
import { breakFetch, mutants } from './catalogue.ts';
import { judgedRequirements } from './score.ts';

test('every judged requirement names mutants, and every mutant is named by one requirement', () => {
  const named = judgedRequirements.flatMap((requirement) => requirement.mutants);
  expect(judgedRequirements.filter((requirement) => requirement.mutants.length === 0)).toEqual([]);
  expect([...named].sort()).toEqual(Object.keys(mutants).sort());
});

test('an unknown mutant is refused', () => {
  expect(() => breakFetch('toString', fetch)).toThrow(RangeError);
});
