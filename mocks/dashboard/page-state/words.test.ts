import { expect, test } from 'vitest';
import { duration } from './words.ts';

test.each([
  [0.012, '12 ms'],
  [0.1, '0.1 s'],
  [9.69, '9.6 s'],
  [60, '1 min'],
  [90.5, '1 min 30 s'],
  [7500, '2 h 5 min'],
  [86_400, '1 d'],
  [90_000, '1 d 1 h'],
])('%d seconds are %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});
