import { expect, test } from 'vitest';
import { atMost, figureText, isMet, ratioAtLeast, ratioAtMost, renderTargets } from './targets.ts';

test('targets are a table in Markdown, padded', () => {
  const targets = [
    ratioAtMost(3, 'start', 212.3, 100),
    ratioAtLeast(0.75, 'list', 10_000, 20_000),
    atMost(2, 'check', 0.66, 's'),
  ];
  expect(renderTargets(targets)).toBe(`\
| Target |           Bound | Measured |            From | Reached |
| ------ | --------------: | -------: | --------------: | ------: |
| start  |     at most 3 × |   2.12 × |       212 / 100 |     yes |
| list   | at least 0.75 × |    0.5 × | 10,000 / 20,000 |      no |
| check  |     at most 2 s |   0.66 s |                 |     yes |`);
});

test.each([
  { target: ratioAtMost(3, 'start', 3, 1), met: true },
  { target: ratioAtMost(3, 'start', 3.01, 1), met: false },
  { target: ratioAtLeast(0.75, 'list', 3, 4), met: true },
  { target: ratioAtLeast(0.75, 'list', 0.74, 1), met: false },
  { target: atMost(3, 'not measured', Number.NaN, 's'), met: false },
])('$target.title of $target.figure: met is $met', ({ target, met }) => {
  expect(isMet(target)).toBe(met);
});

test.each([
  { value: 0.126, text: '0.13' },
  { value: 9.994, text: '9.99' },
  { value: 81.26, text: '81.3' },
  { value: 350.6, text: '351' },
  { value: 12_345.6, text: '12,346' },
])('$value reads $text', ({ value, text }) => {
  expect(figureText(value)).toBe(text);
});
