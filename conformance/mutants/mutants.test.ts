import { expect, test } from 'vitest';
import { dialectSchema } from '../../interface/dialect.ts';
import { breakFetch, mutants } from './break-fetch.ts';
import { judged } from './score.ts';
import { variants } from './variants.ts';

test('every requirement that is judged names mutants, and every mutant is named by one', () => {
  const named = judged.flatMap((requirement) => requirement.mutants);
  expect(judged.filter((requirement) => requirement.mutants.length === 0)).toEqual([]);
  expect([...named].sort()).toEqual(Object.keys(mutants).sort());
});

test('a variant says in one sentence what is different, and in another why no dialect says it', () => {
  for (const variant of Object.values(variants)) {
    expect(variant.description).toMatch(/^\S.*\.$/);
    if ('inexpressible' in variant) expect(variant.inexpressible).toMatch(/^\S.*\.$/);
    else {
      const dialect = { dialect: 2, ...variant.dialect };
      expect(dialectSchema.safeParse(dialect).error).toBeUndefined();
    }
  }
});

test('an unknown mutant is refused', () => {
  expect(() => breakFetch('toString', fetch)).toThrow(RangeError);
});
