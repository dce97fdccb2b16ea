import { describe, expect, test } from 'vitest';
import type { Outcome, Report, Result } from '../model/report.ts';
import type { Level } from '../model/requirement.ts';
import { exitStatus, judge, withoutExpired } from './verdict.ts';

const today = '2026-11-20';

/** A result in short: `must:fail`, with the day on which its deviation expires where one is listed. */
type Sketch = `${Level}:${Outcome}` | `${Level}:${Outcome}:${string}`;

type Row = [
  what: string,
  sketches: Sketch[],
  verdict: Report['verdict'],
  status: 0 | 1 | 2,
  reasons: RegExp[],
];

const rows: Row[] = [
  ['all pass', ['must:pass', 'should:pass', 'observe:pass'], 'conformant', 0, []],
  ['a must fails', ['must:pass', 'must:fail'], 'nonconformant', 1, [/^T-2 failed: because$/]],
  ['only a should fails', ['must:pass', 'should:fail'], 'conformant', 0, []],
  ['only a note fails', ['must:pass', 'observe:error'], 'conformant', 0, []],
  ['a should is blocked', ['must:pass', 'should:blocked'], 'conformant', 0, []],
  ['a must is blocked', ['must:pass', 'must:blocked'], 'incomplete', 2, [/^T-2 blocked: because$/]],
  ['a must is untested', ['must:pass', 'must:untested'], 'incomplete', 2, [/^T-2 untested/]],
  ['a must ends in an error', ['must:pass', 'must:error'], 'incomplete', 2, [/^T-2 error/]],
  [
    'several musts wait for the same',
    ['must:pass', 'must:blocked', 'must:blocked'],
    'incomplete',
    2,
    [/^T-2, T-3 blocked: because$/],
  ],
  [
    'a must does not apply',
    ['must:pass', 'must:inapplicable'],
    'conformant-with-deviations',
    0,
    [/^T-2 inapplicable: because$/],
  ],
  [
    'nothing applies',
    ['must:inapplicable'],
    'incomplete',
    2,
    [/^no requirement was tested$/, /^T-1/],
  ],
  ['nothing is run', [], 'incomplete', 2, [/^no requirement was tested$/]],
  ['no must is run', ['should:pass'], 'incomplete', 2, [/^no requirement was tested$/]],
  [
    'a must fails, as is known',
    ['must:pass', 'must:fail:2026-12-31'],
    'conformant-with-deviations',
    0,
    [/^T-2 failed, a known deviation \(known\): because$/],
  ],
  [
    'a must fails, as is known without a day on which that ends',
    ['must:pass', 'must:fail:never'],
    'conformant-with-deviations',
    0,
    [/^T-2 failed, a known deviation/],
  ],
  [
    'all that is run fails, as is known',
    ['must:fail:2026-12-31'],
    'conformant-with-deviations',
    0,
    [/T-1/],
  ],
  [
    'a known failure is in its last day',
    ['must:fail:2026-11-20'],
    'conformant-with-deviations',
    0,
    [/T-1/],
  ],
  [
    'a known failure has expired',
    ['must:pass', 'must:fail:2026-11-19'],
    'nonconformant',
    1,
    [/^T-2 failed: because; its known deviation has expired on 2026-11-19$/],
  ],
  [
    'a known failure passes',
    ['must:pass', 'must:pass:2026-12-31'],
    'incomplete',
    2,
    [/^T-2: a deviation is listed, but the target satisfies the requirement; remove the entry$/],
  ],
  [
    'a known failure passes and its entry has expired',
    ['must:pass:2020-01-01'],
    'incomplete',
    2,
    [/remove the entry/],
  ],
  [
    'a known failure is blocked',
    ['must:pass', 'must:blocked:2026-12-31'],
    'incomplete',
    2,
    [/T-2/],
  ],
  [
    'one failure is known and another is not',
    ['must:fail:2026-12-31', 'must:fail'],
    'nonconformant',
    1,
    [/^T-2 failed: because$/, /^T-1 failed, a known deviation/],
  ],
  [
    'a failure is known and something else is open',
    ['must:pass', 'must:fail:2026-12-31', 'must:blocked'],
    'incomplete',
    2,
    [/^T-3 blocked/, /^T-2 failed, a known/],
  ],
  [
    'a failure is known and another known one passes',
    ['must:pass', 'must:fail:2026-12-31', 'must:pass:2026-12-31'],
    'incomplete',
    2,
    [/^T-3: a deviation is listed/, /^T-2 failed, a known/],
  ],
  ['a should fails, as is known', ['must:pass', 'should:fail:2026-12-31'], 'conformant', 0, []],
  [
    'a known failure of a should has expired',
    ['must:pass', 'should:fail:2026-01-01'],
    'conformant',
    0,
    [],
  ],
];

describe('the verdict and the exit status where', () => {
  test.each(rows)('%s', (_, sketches, verdict, status, reasons) => {
    const results = sketches.map(toResult);
    const judged = judge(toFindings(results));
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons).toHaveLength(reasons.length);
    for (const [index, reason] of reasons.entries()) expect(judged.reasons[index]).toMatch(reason);
    expect(exitStatus(toReport(results))).toBe(status);
  });
});

test('a requirement that no run can test leaves no run incomplete', () => {
  const untestable: Result = { ...toResult('must:untested', 0), id: 'RECORD-17' };
  const passed = toResult('must:pass', 0);
  expect(judge(toFindings([passed, untestable]))).toEqual({ verdict: 'conformant', reasons: [] });
  expect(exitStatus(toReport([toResult('must:fail:2026-12-31', 0), untestable]))).toBe(0);
  expect(judge(toFindings([untestable])).verdict).toBe('incomplete');
});

test('a run of a part of what binds in its scope is incomplete', () => {
  const passed = { ...toResult('must:pass', 0), id: 'RECORD-1' };
  const { verdict, reasons } = judge({ ...toFindings([passed]), areas: ['record'] });
  expect(verdict).toBe('incomplete');
  expect(reasons).toEqual([expect.stringMatching(/^\d+ binding requirements were not selected$/)]);
});

test('an interrupted run is incomplete, or not conformant where a must had failed already', () => {
  const interrupted = (...sketches: Sketch[]) =>
    judge({ ...toFindings(sketches.map(toResult)), interrupted: true });
  expect(interrupted('must:pass')).toEqual({
    verdict: 'incomplete',
    reasons: ['the run was interrupted'],
  });
  expect(interrupted('must:fail', 'must:untested').verdict).toBe('nonconformant');
});

test('a target that cannot be judged is incomplete for that reason alone, with a status of its own', () => {
  const findings = {
    ...toFindings([toResult('must:blocked', 0)]),
    unjudgeable: 'Nothing listens.',
  };
  expect(judge(findings)).toEqual({ verdict: 'incomplete', reasons: ['Nothing listens.'] });
  expect(exitStatus({ ...toReport([]), unjudgeable: 'Nothing listens.' })).toBe(4);
});

function toResult(sketch: Sketch, index: number): Result {
  const [level, outcome, expires] = sketch.split(':') as [Level, Outcome, string | undefined];
  return {
    id: `T-${index + 1}`,
    area: 'create',
    clause: '4.1',
    level,
    statement: 'It holds.',
    basis: { kind: 'stated' },
    outcome,
    ...(outcome !== 'pass' && { message: 'because' }),
    observations: [],
    evidence: [],
    ...(expires !== undefined && {
      deviation: { reason: 'known', ...(expires !== 'never' && { expires }) },
    }),
    duration: 1,
  };
}

/** Of no area, so that nothing is missed that the table does not name. */
function toFindings(results: Result[]): Parameters<typeof judge>[0] {
  return { results: results.map((result) => withoutExpired(result, today)), areas: [] };
}

function toReport(results: Result[]): Report {
  return {
    format: 'livestream-mock/conformance-report',
    version: 1,
    suite: '0.0.0',
    target: 'http://a.test',
    startedAt: `${today}T23:59:59.999Z`,
    duration: 1,
    provider: 'none',
    readOnly: false,
    ...toFindings(results),
    ...judge(toFindings(results)),
    leftBehind: [],
    complete: true,
  };
}
