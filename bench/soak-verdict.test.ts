import { expect, test } from 'vitest';
import { judgeSoak } from './soak-verdict.ts';

const flat = Array.from({ length: 20 }, () => 100);
const well = { answered: 1_000, broken: 20, statuses: { 200: 980 } };

test('a run with flat memory and a healthy server has no error', () => {
  const { report, errors } = judgeSoak(flat, well);
  expect(errors).toEqual([]);
  expect(report[1]).toContain('100 in the second quarter, 100 in the last, 1.00 times');
});

const growing = flat.map((megabytes, at) => megabytes + 5 * at);

test.each([
  ['memory that grows', growing, {}, 'expected memory to grow 1.1 times at most'],
  ['memory that is not known', [Number.NaN], {}, 'expected at least 8 looks'],
  ['a server that fails', flat, { statuses: { 500: 1 } }, 'expected no response 500'],
  ['a server that is gone', flat, { answered: 0 }, 'expected responses, got none'],
  ['a server that breaks most responses', flat, { broken: 900 }, 'expected at most 0.1 of'],
])('a run with %s has an error', (_, samples, traffic, error) => {
  expect(judgeSoak(samples, { ...well, ...traffic }).errors[0]).toContain(error);
});
