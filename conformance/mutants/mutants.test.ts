import { expect, test } from 'vitest';
import { judgedRequirements } from '../checks/catalogue.ts';
import { breakFetch, mutants } from './catalogue.ts';

test('every requirement that is judged has a mutant that breaks it', () => {
  const broken = new Set(Object.values(mutants).map(({ breaks }) => breaks));
  const unbroken = judgedRequirements.filter(({ id }) => !broken.has(id)).map(({ id }) => id);
  expect(unbroken).toEqual([]);
});

test('an unknown mutant is refused', () => {
  expect(() => breakFetch('toString', fetch)).toThrow(RangeError);
});
