import { expect, test } from 'vitest';
import { atMost, ratioAtLeast, ratioAtMost, renderGoals } from './goals.ts';

test('goals are written as a table in Markdown', () => {
  const goals = [
    ratioAtMost(3, 'start', 212.3, 100),
    ratioAtLeast(0.75, 'list', 12_345.6, 20_000),
    atMost(3, 'not measured', Number.NaN, 's'),
  ];
  expect(renderGoals(goals)).toBe(`\
| Target | Bound | Measured | Reached |
| --- | --: | --: | --: |
| start | at most 3 × | 2.12 × | yes |
| list | at least 0.75 × | 0.617 × | no |
| not measured | at most 3 s | NaN s | no |`);
});
