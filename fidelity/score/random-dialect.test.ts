// Not in test:quick: it runs the whole suite for each dialect.
import { expect, test } from 'vitest';
import { dialectSchema } from '../../interface/dialect.ts';
import { judgeRandomDialects, randomDialect } from './random-dialect.ts';

const seeds = Array.from({ length: 12 }, (_, index) => String(index));

test('a random dialect is a dialect, and the same for the same seed', () => {
  for (const seed of seeds) {
    const dialect = randomDialect(seed);
    expect(dialectSchema.parse(dialect)).toEqual(dialect);
    expect(randomDialect(seed)).toEqual(dialect);
  }
});

test('a mock with any dialect without breaks conforms to the interface', async () => {
  expect(await judgeRandomDialects(seeds)).toEqual([]);
}, 300_000);
