import { expect, test } from 'vitest';
import { mayBeSame } from './may-be-same.ts';

const refusal = { status: 422 } as const;

test.each([
  { stated: 20, learned: 20 },
  { stated: 20, learned: { atLeast: 6 } },
  { stated: { atLeast: 12 }, learned: 20 },
  { stated: { atLeast: 12 }, learned: { atLeast: 6 } },
  { stated: { atLeast: 300, below: 301 }, learned: { atLeast: 255, below: 1_000, refusal } },
  { stated: { atMost: 10, above: 9 }, learned: { atMost: 16, above: 1 } },
])('$learned may be what $stated says', ({ stated, learned }) => {
  expect(mayBeSame(stated, learned)).toBe(true);
});

test.each([
  { stated: 20, learned: 10 },
  { stated: 5, learned: { atLeast: 6 } },
  { stated: { atLeast: 12 }, learned: 10 },
  { stated: { atLeast: 255, below: 1_000 }, learned: { atLeast: 1_000, below: 4_000 } },
  { stated: { atLeast: 255, below: 1_000 }, learned: { atLeast: 64_000 } },
  { stated: { atMost: 1 }, learned: { atMost: 16, above: 1 } },
  {
    stated: { atLeast: 255, below: 1_000, refusal },
    learned: { atLeast: 255, below: 1_000, refusal: { status: 400 } },
  },
  { stated: 'kept', learned: refusal },
])('$learned is not what $stated says', ({ stated, learned }) => {
  expect(mayBeSame(stated, learned)).toBe(false);
});
