import { expect, test } from 'vitest';
import { type Findings, renderFindings } from './findings.ts';

const start: Findings = {
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
  details: [{ head: ['Run', 'ms'], rows: [['1', '80']] }],
  targets: [{ title: 'start', figure: 2, bound: { atMost: 3 }, unit: '×' }],
  notes: ['node:http: could not listen'],
};

test('findings are Markdown, its tables in line', () => {
  expect(renderFindings('A machine', [start], false)).toBe(`A machine

### Start

|                 |  ms |
| --------------- | --: |
| livestream-mock |  81 |
| node:http       |   – |

- node:http: could not listen

### Targets

| Target |       Bound | Measured | Verdict |
| ------ | ----------: | -------: | ------: |
| start  | at most 3 × |      2 × |     met |
`);
});

test('details are shown where they are asked for', () => {
  expect(renderFindings('A machine', [start], true)).toContain('| Run |  ms |');
});
