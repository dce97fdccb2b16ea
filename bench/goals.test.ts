import { expect, test } from 'vitest';
import { goalOf, isReached, renderGoals } from './goals.ts';

test('goals are written as a table in Markdown', () => {
  const goals = [
    goalOf('start', 2.123, { atMost: 3 }),
    goalOf('list', 0.61728, { atLeast: 0.75 }),
    goalOf('not measured', Number.NaN, { atMost: 3 }, 's'),
  ];
  expect(renderGoals(goals)).toBe(`\
| Target | Bound | Measured | Reached |
| --- | --: | --: | --: |
| start | at most 3 × | 2.12 × | yes |
| list | at least 0.75 × | 0.617 × | no |
| not measured | at most 3 s | NaN s | no |`);
  expect(goals.map(isReached)).toEqual([true, false, false]);
});
