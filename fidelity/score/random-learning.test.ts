// Not in test:quick: it compares thousands of operations.
import { expect, test } from 'vitest';
import { judgeRandomDialect } from './random-learning.ts';

const seeds = ['23', '29', '32', '113'];

test.each(seeds)(
  'a mock with a random dialect is as what was learned of it: seed %s',
  async (seed) => {
    expect(await judgeRandomDialect(seed, 1_500)).toEqual([]);
  },
  60_000,
);
