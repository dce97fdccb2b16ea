import { expect, test } from 'vitest';
import { judgeSoak } from './soak-verdict.ts';

const flat = Array.from({ length: 20 }, () => 100);
const well = { answered: 1_000, broken: 20, statuses: { 200: 980 } };

test('a run with flat memory and a healthy server has no error', () => {
  const { report, errors } = judgeSoak(flat, well);
  expect(errors).toEqual([]);
  expect(report[1]).toContain('100 in the second quarter, 100 in the last, 1.00 times');
});

test.each([
  {
    run: 'memory that grows',
    samples: flat.map((megabytes, at) => megabytes + 5 * at),
    error: 'expected memory to grow 1.1 times at most',
  },
  {
    run: 'memory that is not known',
    samples: flat.map(() => Number.NaN),
    error: 'expected memory to grow 1.1 times at most',
  },
  { run: 'two looks at the memory', samples: [100, 100], error: 'expected at least 8 looks' },
  {
    run: 'a server that fails',
    traffic: { statuses: { 500: 1 } },
    error: 'expected no response 500',
  },
  { run: 'a server that is gone', traffic: { answered: 0 }, error: 'expected responses, got none' },
  {
    run: 'a server that breaks most responses',
    traffic: { broken: 900 },
    error: 'expected at most 0.1 of',
  },
])('a run with $run has an error', ({ samples = flat, traffic = {}, error }) => {
  expect(judgeSoak(samples, { ...well, ...traffic }).errors[0]).toContain(error);
});
