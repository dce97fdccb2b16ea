import { expect, test } from 'vitest';
import { atMost, isMet, ratioAtLeast, ratioAtMost, renderTargets } from './targets.ts';

test('targets are a table in Markdown, padded', () => {
  const targets = [
    ratioAtMost(3, 'start', 212.3, 100),
    ratioAtLeast(0.75, 'list', 12_345.6, 20_000),
    atMost(2, 'check', 0.66, 's'),
  ];
  expect(renderTargets(targets)).toBe(`\
| Target |           Bound | Measured |            From | Reached |
| ------ | --------------: | -------: | --------------: | ------: |
| start  |     at most 3 × |   2.12 × |       212 / 100 |     yes |
| list   | at least 0.75 × |   0.62 × | 12,346 / 20,000 |      no |
| check  |     at most 2 s |   0.66 s |                 |     yes |`);
});

test.each([
  [ratioAtMost(3, 'start', 3, 1), true],
  [ratioAtMost(3, 'start', 3.01, 1), false],
  [ratioAtLeast(0.75, 'list', 0.74, 1), false],
  [atMost(3, 'not measured', Number.NaN, 's'), false],
])('%j is met: %s', (target, met) => {
  expect(isMet(target)).toBe(met);
});
