import { expect, test } from 'vitest';
import type { Result } from '../model/report.ts';
import {
  conformant,
  deviating,
  interrupted,
  judged,
  sample,
  unjudgeable,
} from './sample.test-support.ts';
import { renderProgress, renderTerminal, type TerminalOptions } from './terminal.ts';

const plain = { colours: false } as const satisfies TerminalOptions;
const details = ['quiet', 'normal', 'verbose'] as const;

test.each(details)(
  '%s with colours: the text is the same, and no escape sequence is from the target',
  (detail) => {
    const coloured = renderTerminal(sample, { colours: true, detail });
    const parts = coloured.split('\u001b');
    for (const part of parts.slice(1)) expect(part).toMatch(/^\[(1|2|22|31|32|33|39)m/);
    const text = parts.map((part) => part.replace(/^\[\d+m/, '')).join('');
    expect(text).toBe(renderTerminal(sample, { ...plain, detail }));
  },
);

test.each([80, 60, 120])(
  'in %d columns only evidence, which is for copying, is longer',
  (width) => {
    for (const detail of ['normal', 'verbose'] as const) {
      const lines = renderTerminal(sample, { ...plain, width, detail }).split('\n');
      const long = lines.filter((line) => [...line].length > width);
      expect(long.filter((line) => !/curl|Received|^ {13}/.test(line))).toEqual([]);
    }
  },
);

test('a conformant run takes four lines, one of which names what no run can test', () => {
  expect(renderTerminal(conformant, plain).split('\n')).toEqual([
    'livestream-mock 0.1.0 judged http://127.0.0.1:4100/api in 12.3 s',
    '',
    expect.stringMatching(/^Conformant {2}\d+ passed, \d+ untested$/),
    expect.stringMatching(/^ {2}- RECORD-17 untested: /),
    '',
  ]);
});

test('a recommendation that is not kept comes after what binds, and is called one', () => {
  const [advice, rule] = conformant.results.slice(0, 2).map((result, index) => ({
    ...result,
    level: index === 0 ? ('should' as const) : ('must' as const),
    outcome: 'fail' as const,
    message: index === 0 ? 'expected a refusal' : 'expected status 201, got 200',
  }));
  const results = [advice, rule, ...conformant.results.slice(2)].filter((one) => one !== undefined);
  const text = renderTerminal(judged({ ...conformant, results }), plain);
  expect(text).toMatch(
    /✗ failed: expected status 201, got 200[\s\S]*✗ failed, only recommended: expected a refusal/,
  );
  expect(text).toMatch(/\b2 failed \(1 only recommended\)/);
});

test('a failed requirement says why it holds, and the clause that it cites is quoted in full', () => {
  const [first] = sample.results;
  const result = {
    ...(first as Result),
    clause: '2.1, 4.1',
    basis: { kind: 'derived', because: 'what a client sends is typed.' },
    outcome: 'fail',
    message: 'expected status 422, got 201',
  } as const;
  const text = renderTerminal(judged({ ...conformant, results: [result] }), plain);
  const words = text.replaceAll(/\s+/g, ' ');
  expect(words).toContain('Why: Follows from 2.1, 4.1: what a client sends is typed.');
  expect(words).toContain('Whether sessions are recorded is the boolean record.');
});

test('a cause that breaks many requirements names them all, in few lines', () => {
  const results = conformant.results.map((result) => ({
    ...result,
    outcome: 'fail' as const,
    message: 'expected status 200, got 500',
  }));
  const text = renderTerminal(judged({ ...conformant, results }), plain);
  expect(text.split('\n').length).toBeLessThan(35);
  for (const { id, level } of results)
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`${id}\\b[^:]*\\(${level}`));
});

test('exceptions, untested requirements and deviations that are gone are reasons', () => {
  const text = renderTerminal(deviating, { ...plain, width: 200 });
  expect(text).toContain(
    '  - CREATE-1 failed, a known deviation (it answers 200 until release 3): ',
  );
  expect(text).toContain('  - AUTH-1 inapplicable: the gateway checks the key\n');
  expect(renderTerminal(interrupted, plain).replaceAll(/\s+/g, ' ')).toContain('untested: the run');
});

test('for a target that cannot be judged, the report is one sentence', () => {
  const sentence = `Cannot be judged. ${unjudgeable.unjudgeable}\n`;
  expect(renderTerminal(unjudgeable, { ...plain, width: 200 })).toBe(sentence);
  expect(renderTerminal(unjudgeable, { ...plain, detail: 'quiet' })).toBe(sentence);
  const lines = renderTerminal(unjudgeable, plain).trimEnd().split('\n');
  expect(lines.map((line) => line.length <= 80)).toEqual([true, true]);
});

test.each([
  '::error::taken over',
  'so\n \u00a0 ::add-mask::x',
  'so ##[add-mask]x',
  '##vso[task.setvariable variable=PATH]x',
  "##teamcity[buildStatus text='x']",
])('a CI service finds no command in %j', (body) => {
  const results = sample.results.map((result) => ({
    ...result,
    message: body,
    observations: [body],
    evidence: [{ curl: 'curl http://a.test', status: 200, body, duration: 1 }],
  }));
  const report = judged({ ...sample, results, leftBehind: [body] });
  for (const detail of details) {
    for (const width of [40, 80]) {
      const text = renderTerminal(report, { ...plain, width, detail });
      // What GitHub, Azure Pipelines and TeamCity take for a command.
      for (const line of text.split('\n')) expect(line).not.toMatch(/^\s*::|##\w*\[/);
    }
  }
});

test.each([
  [3, 48, 'CREATE-3', ' 3/48 CREATE-3'],
  [0, 7, '', '0/7'],
  [1, 1, 'a\u001b[2J\nb', '1/1 a\\u001b[2J b'],
])('progress of %d of %d', (done, total, current, line) => {
  expect(renderProgress(done, total, current)).toBe(line);
});

test('progress fits on a line', () => {
  expect(renderProgress(1, 100, 'x'.repeat(500))).toHaveLength(80);
});
