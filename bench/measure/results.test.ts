import { expect, test } from 'vitest';
import { atLeast, atMost, figureText, isMet, renderFindings } from './results.ts';

test('findings are Markdown, with padded tables', () => {
  const start = {
    title: 'Start',
    tables: [
      {
        head: ['', 'ms'],
        rows: [
          ['livestream-mock', '81'],
          ['node:http', '–'],
        ],
      },
    ],
    targets: [atMost(3, 'start', 2.123), atLeast(0.75, 'list', 0.5)],
    notes: ['node:http: could not listen\nat its port'],
  };
  expect(renderFindings('A machine', [start])).toBe(`A machine

## Start

|                 |  ms |
| --------------- | --: |
| livestream-mock |  81 |
| node:http       |   – |

- node:http: could not listen

## Targets

| Target |           Bound | Measured | Reached |
| ------ | --------------: | -------: | ------: |
| start  |     at most 3 × |   2.12 × |     yes |
| list   | at least 0.75 × |    0.5 × |      no |
`);
});

test.each([
  { target: atMost(3, 'start', 3), met: true },
  { target: atMost(3, 'start', 3.01), met: false },
  { target: atLeast(0.75, 'list', 0.75), met: true },
  { target: atLeast(0.75, 'list', 0.74), met: false },
  { target: atMost(3, 'not measured', Number.NaN), met: false },
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
