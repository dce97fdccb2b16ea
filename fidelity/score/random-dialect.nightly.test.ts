import { expect, test } from 'vitest';
import { judgeRandomDialects } from './random-dialect.ts';

test('mocks with 200 random dialects conform to the interface', async () => {
  const seeds = Array.from({ length: 200 }, (_, index) => String(index));
  expect(await judgeRandomDialects(seeds)).toEqual([]);
});
