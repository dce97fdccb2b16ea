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

test.each(details)('%s without colours: the only control character is the line feed', (detail) => {
  expect(renderTerminal(sample, { ...plain, detail })).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
});

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

test('the verdict comes last', () => {
  const blocks = renderTerminal(sample, plain).trim().split('\n\n');
  expect(blocks.at(-1)).toMatch(/^Not conformant\n {2}10 passed, 1 failed/);
});

test('what is blocked is listed once, below what it needs', () => {
  for (const detail of ['normal', 'verbose'] as const) {
    const text = renderTerminal(sample, { ...plain, detail });
    expect(text.match(/A recorded session is needed/g)).toHaveLength(1);
    expect(text).toMatch(/LIST-1\b[\s\S]*LIST-2\b[\s\S]*The check has to write/);
  }
});

test('a conformant run takes three lines', () => {
  expect(renderTerminal(conformant, plain).split('\n')).toEqual([
    'livestream-mock 0.1.0 judged http://127.0.0.1:4100/api in 12.3 s',
    '',
    expect.stringMatching(/^Conformant {2}\d+ passed, \d+ untested$/),
    '',
  ]);
});

const exchange = {
  status: 200,
  body: '{"id":"6c1f6d1e-8a53-4d2e-9a4e-0f3c6e0b3c11"}',
  duration: 1,
};
const evidence = [
  { ...exchange, curl: 'curl http://127.0.0.1:4100/api/first' },
  { ...exchange, curl: 'curl http://127.0.0.1:4100/api/second' },
];

/** Three broken rules, one of them seen by three checks, at a target without sessions. */
const broken = judged({
  ...conformant,
  results: conformant.results.map((result) => {
    const { id } = result;
    const message = {
      'CREATE-9': 'streamKey: expected four groups of four characters, got "ff9de03c-1da0-457c"',
      'CREATE-10': 'playbackId: expected a string that is not empty, got nothing',
      'RECORD-1': 'expected status 204, got 200',
      'RECORD-2': 'expected status 204, got 200',
      'RECORD-4': 'expected status 204, got 200',
    }[id];
    if (message !== undefined) return { ...result, outcome: 'fail', message, evidence };
    if (!/^(LIST|MEDIA)/.test(id)) return result;
    const remedy = 'let the suite go live: add --control-url, --ingest-command or --manual';
    return { ...result, outcome: 'blocked', message: remedy };
  }),
  leftBehind: Array.from({ length: 70 }, (_, index) => `stream ${index + 1}`),
});

test('three broken rules take less than 50 lines: each cause and each clause is shown once', () => {
  const text = renderTerminal(broken, plain);
  // The three clauses, which are quoted in full, take 15 of them.
  expect(text.split('\n').length).toBeLessThan(50);
  expect(text.match(/expected status 204, got 200/g)).toHaveLength(1);
  for (const id of ['CREATE-9', 'CREATE-10', 'RECORD-1', 'RECORD-2', 'RECORD-4']) {
    expect(text).toContain(`  ${id} (must, `);
  }
  expect(text.match(/Sent {7}curl \S*first/g)).toHaveLength(3);
  expect(text).not.toContain('/second');
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

test('the next exchange is shown too where the decisive one has no body', () => {
  const [first, second] = evidence;
  const silent = { curl: first?.curl ?? '', status: 204, duration: 1 };
  const results = broken.results.map((result) =>
    result.id === 'RECORD-1' ? { ...result, evidence: [silent, second ?? silent] } : result,
  );
  const text = renderTerminal({ ...broken, results }, plain);
  expect(text.match(/Sent {7}curl \S*second\n.*6c1f6d1e/g)).toHaveLength(1);
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

test('what is left behind is shortened, except after an interruption and in a verbose report', () => {
  expect(renderTerminal(broken, plain)).toContain(
    'Left behind on the target\n  - stream 1\n  - stream 2\n  - and 68 more\n',
  );
  expect(renderTerminal(broken, { ...plain, detail: 'verbose' })).toContain('- stream 70\n');
  expect(renderTerminal(interrupted, plain)).toContain('- stream 50\n');
});

test('exceptions, untested requirements and deviations that are gone are reasons', () => {
  const text = renderTerminal(deviating, { ...plain, width: 200 });
  expect(text).toContain(
    '  - CREATE-1 failed, a known deviation (it answers 200 until release 3): ',
  );
  expect(text).toContain('  - AUTH-1 inapplicable: the gateway checks the key\n');
  expect(renderTerminal(interrupted, plain).replaceAll(/\s+/g, ' ')).toContain('untested: the run');
  expect(renderTerminal(sample, plain)).toContain('  - CREATE-9: a deviation is listed, but');
});

test('for a target that cannot be judged, the report is one sentence', () => {
  const sentence = `Cannot be judged. ${unjudgeable.unjudgeable}\n`;
  expect(renderTerminal(unjudgeable, { ...plain, width: 200 })).toBe(sentence);
  expect(renderTerminal(unjudgeable, { ...plain, detail: 'quiet' })).toBe(sentence);
  const lines = renderTerminal(unjudgeable, plain).trimEnd().split('\n');
  expect(lines.map((line) => line.length <= 80)).toEqual([true, true]);
});

test('quiet is one line', () => {
  expect(renderTerminal(sample, { ...plain, detail: 'quiet' })).toBe(
    'Not conformant: 10 passed, 1 failed, 1 in error, 1 known to deviate, 3 blocked, 1 untested, 1 inapplicable, 1 left behind\n',
  );
});

test('verbose shows everything: what passed, what was observed, and all evidence', () => {
  const text = renderTerminal(sample, { ...plain, detail: 'verbose' });
  for (const part of ['✓ CREATE-1 CREATE-2', 'OBSERVE-1: Empty: 201.', '○ MEDIA-2 untested']) {
    expect(text).toContain(part);
  }
  expect(text).toMatch(/Decided by curl -X PATCH [\s\S]*\n {2}Also sent {2}curl -X POST /);
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
