import { expect, test } from 'vitest';
import { judgeSoak } from './soak-verdict.ts';

const flat = Array.from({ length: 20 }, () => 100);
const well = { answered: 1_000, broken: 20, statuses: new Map([[200, 980]]) };

test('a run whose memory is flat and whose server is well has no fault', () => {
  expect(judgeSoak(flat, well)).toEqual([]);
});

test.each<[string, number[], Partial<typeof well>, string]>([
  ['grows', flat.map((megabytes, at) => megabytes + 5 * at), {}, 'expected flat memory'],
  ['is not known', flat.map(() => Number.NaN), {}, 'expected flat memory'],
  ['was looked at too seldom', [100, 100], {}, 'expected at least 8 looks'],
  [
    'is flat, of a server that fails',
    flat,
    { statuses: new Map([[500, 1]]) },
    'expected no answer 500',
  ],
  ['is flat, of a server that is gone', flat, { answered: 0 }, 'expected answers, got none'],
  ['is flat, of a server that answers too few', flat, { broken: 900 }, 'expected at most 0.1 of'],
])('a run whose memory %s has a fault', (_, samples, traffic, text) => {
  const [fault] = judgeSoak(samples, { ...well, ...traffic });
  expect(fault).toContain(text);
});
