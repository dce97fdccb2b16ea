import { expect, test } from 'vitest';
import { conformant, judged, passed, sample, unjudgeable } from './sample.test-support.ts';
import { renderTerminal, type TerminalOptions } from './terminal.ts';

const plain = { colours: false } as const satisfies TerminalOptions;

test.each(['quiet', 'normal', 'verbose'] as const)(
  'a %s report with colours has the same text, and no escape sequence of the target',
  (detail) => {
    const coloured = renderTerminal(sample, { colours: true, detail });
    const parts = coloured.split('\u001b');
    for (const part of parts.slice(1)) expect(part).toMatch(/^\[(1|2|22|31|32|33|39)m/);
    const text = parts.map((part) => part.replace(/^\[\d+m/, '')).join('');
    expect(text).toBe(renderTerminal(sample, { ...plain, detail }));
  },
);

test.each([80, 60, 120])(
  'in %d columns, only evidence has longer lines, as it is for copying',
  (width) => {
    for (const detail of ['normal', 'verbose'] as const) {
      const lines = renderTerminal(sample, { ...plain, width, detail }).split('\n');
      const long = lines.filter((line) => [...line].length > width);
      expect(long.filter((line) => !/curl|Received|^ {13}/.test(line))).toEqual([]);
    }
  },
);

test('a recommendation that is not met comes after what failed, and does not count as a failure', () => {
  const basis = { kind: 'derived', because: 'what a client sends is typed.' } as const;
  const failed = { ...passed, outcome: 'fail' as const, basis };
  const results = [
    {
      ...failed,
      id: 'CREATE-2',
      level: 'should' as const,
      outcome: 'unmet' as const,
      message: 'expected a refusal',
    },
    { ...failed, message: 'expected status 201, got 200' },
  ];
  const text = renderTerminal(judged({ ...conformant, results }), plain);
  expect(text).toMatch(
    /✗ failed: expected status 201, got 200[\s\S]*△ recommendation not met: expected a refusal/,
  );
  expect(text).toMatch(/Not conformant {2}1 failed, 1 recommendation not met$/m);
  expect(text).toContain('Why: Follows from 4.1: what a client sends is typed.');
});

test('a cause that concerns many requirements names them all in few lines', () => {
  const results = conformant.results.map((result) => ({
    ...result,
    outcome: 'fail' as const,
    message: 'expected status 200, got 500',
  }));
  const text = renderTerminal(judged({ ...conformant, results }), plain);
  expect(text.split('\n').length).toBeLessThan(45);
  for (const { id, level } of results)
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`${id} (${level}`);
});

test('if the target cannot be judged, one sentence says why', () => {
  for (const detail of ['quiet', 'normal', 'verbose'] as const) {
    const text = renderTerminal(unjudgeable, { ...plain, width: 200, detail });
    expect(text).toBe(`Cannot be judged. ${unjudgeable.unjudgeable}\n`);
  }
});

test('one line about an incomplete run says what blocked it', () => {
  const message = 'No session could be made: check --control-url.';
  const results = [{ ...passed, outcome: 'blocked' as const, message }];
  const report = judged({ ...conformant, results, provider: 'control' });
  const said = (detail: 'quiet' | 'verbose') => renderTerminal(report, { ...plain, detail });
  expect(said('quiet')).toBe(`Incomplete: 1 blocked (${message})\n`);
  expect(said('verbose')).toMatch(/^Sessions +from the control API$/m);
});

test('a run that tested nothing says so', () => {
  const text = renderTerminal(judged({ ...sample, results: [], leftBehind: [] }), plain);
  expect(text).toMatch(/\n\nIncomplete {2}nothing was tested\n/);
});

test('of a long list, the element that decides is shown', () => {
  const element = '[2]: {"createdAt":"today"}';
  const list = { curl: 'curl', status: 200, duration: 1, element, body: '[{"id":1},…' };
  const results = [{ ...passed, outcome: 'fail' as const, message: 'wrong', evidence: [list] }];
  const text = renderTerminal(judged({ ...conformant, results }), plain);
  expect(text).toContain(`Received   200 in 1 ms: ${element}\n`);
});

test.each([
  ['{"id":1}'.repeat(34), '{"id":1}'.repeat(34)],
  ['a\nb\nc\nd', 'a\nb\nc\nd'],
  ['a'.repeat(500), `${'a'.repeat(240)}\n… 260 more characters`],
])('a body is cut only if that saves a line: %j', (body, shown) => {
  const exchange = { curl: 'curl', status: 200, duration: 1, body };
  const results = [{ ...passed, outcome: 'fail' as const, message: 'wrong', evidence: [exchange] }];
  const text = renderTerminal(judged({ ...conformant, results }), plain);
  expect(text.replaceAll(/\n {13}/g, '\n')).toContain(`Received   200 in 1 ms: ${shown}\n`);
});

test('a reason that is shown above is not shown again for results that bind less', () => {
  const message = '[1]: expected a JSON object, got null';
  const results = [
    { ...passed, outcome: 'fail' as const, message },
    { ...passed, id: 'LIST-15', level: 'should' as const, outcome: 'unmet' as const, message },
  ];
  const text = renderTerminal(judged({ ...conformant, results }), plain);
  expect(text.split(message)).toHaveLength(2);
  expect(text).toContain(
    '△ recommendation not met, for the same reason as above: LIST-15 (should)\n',
  );
});
