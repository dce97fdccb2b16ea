import { expect, test } from 'vitest';
import { roundTime } from './poll.ts';

test.each([
  { measured: 3_000, expected: 1_000, written: 5_000 },
  { measured: 3_000, expected: 5_000, written: 5_000 },
  { measured: 3_000, expected: 3_200, written: 3_200 },
  { measured: 3_000, expected: 4_500, written: 4_500 },
  { measured: 7_000, expected: 5_000, written: 10_000 },
  { measured: 1_010, expected: 60_000, written: 1_000 },
  { measured: 0, expected: 1_000, written: 0 },
])(
  '$measured ms are written as $written where $expected are expected',
  ({ measured, expected, written }) => {
    expect(roundTime({ after: measured, until: measured }, expected)).toBe(written);
  },
);
