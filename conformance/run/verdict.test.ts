import { describe, expect, test } from 'vitest';
import type { Outcome, Report, Result } from '../model/report.ts';
import type { Level } from '../model/requirement.ts';
import { exitStatus, judge, withoutExpired } from './verdict.ts';

const today = '2026-11-20';

/** A result in short, such as `must:fail`, with the expiry date of its known deviation. */
type Sketch = `${Level}:${Outcome}` | `${Level}:${Outcome}:${string}`;

interface Row {
  readonly when: string;
  readonly sketches: readonly Sketch[];
  readonly verdict: Report['verdict'];
  readonly status: 0 | 1 | 2;
  readonly reasons: readonly RegExp[];
}

const rows: Row[] = [
  {
    when: 'all pass',
    sketches: ['must:pass', 'should:pass', 'observe:pass'],
    verdict: 'conformant',
    status: 0,
    reasons: [],
  },
  {
    when: 'a must fails',
    sketches: ['must:pass', 'must:fail'],
    verdict: 'nonconformant',
    status: 1,
    reasons: [/^T-2 failed: because$/],
  },
  {
    when: 'only a should fails',
    sketches: ['must:pass', 'should:fail'],
    verdict: 'conformant',
    status: 0,
    reasons: [],
  },
  {
    when: 'only an observation fails',
    sketches: ['must:pass', 'observe:error'],
    verdict: 'conformant',
    status: 0,
    reasons: [],
  },
  {
    when: 'a should is blocked',
    sketches: ['must:pass', 'should:blocked'],
    verdict: 'conformant',
    status: 0,
    reasons: [],
  },
  {
    when: 'a must is blocked',
    sketches: ['must:pass', 'must:blocked'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^T-2 blocked: because$/],
  },
  {
    when: 'a must is untested',
    sketches: ['must:pass', 'must:untested'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^T-2 untested/],
  },
  {
    when: 'a must ends in an error',
    sketches: ['must:pass', 'must:error'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^T-2 error/],
  },
  {
    when: 'several musts are blocked for one reason',
    sketches: ['must:pass', 'must:blocked', 'must:blocked'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^T-2, T-3 blocked: because$/],
  },
  {
    when: 'a must does not apply',
    sketches: ['must:pass', 'must:inapplicable'],
    verdict: 'conformant-with-deviations',
    status: 0,
    reasons: [/^T-2 inapplicable: because$/],
  },
  {
    when: 'nothing applies',
    sketches: ['must:inapplicable'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^no requirement was tested$/, /^T-1/],
  },
  {
    when: 'nothing is run',
    sketches: [],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^no requirement was tested$/],
  },
  {
    when: 'no must is run',
    sketches: ['should:pass'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^no requirement was tested$/],
  },
  {
    when: 'a must fails, as known',
    sketches: ['must:pass', 'must:fail:2026-12-31'],
    verdict: 'conformant-with-deviations',
    status: 0,
    reasons: [/^T-2 failed, a known deviation \(known\): because$/],
  },
  {
    when: 'a must fails, as known without an expiry date',
    sketches: ['must:pass', 'must:fail:never'],
    verdict: 'conformant-with-deviations',
    status: 0,
    reasons: [/^T-2 failed, a known deviation/],
  },
  {
    when: 'everything fails, as known',
    sketches: ['must:fail:2026-12-31'],
    verdict: 'conformant-with-deviations',
    status: 0,
    reasons: [/T-1/],
  },
  {
    when: 'a known failure expires today',
    sketches: ['must:fail:2026-11-20'],
    verdict: 'conformant-with-deviations',
    status: 0,
    reasons: [/T-1/],
  },
  {
    when: 'a known failure has expired',
    sketches: ['must:pass', 'must:fail:2026-11-19'],
    verdict: 'nonconformant',
    status: 1,
    reasons: [/^T-2 failed: because; its known deviation expired on 2026-11-19$/],
  },
  {
    when: 'a known failure passes',
    sketches: ['must:pass', 'must:pass:2026-12-31'],
    verdict: 'incomplete',
    status: 2,
    reasons: [
      /^T-2: a deviation is listed, but the target satisfies the requirement; remove the entry$/,
    ],
  },
  {
    when: 'a known failure passes and its entry has expired',
    sketches: ['must:pass:2020-01-01'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/remove the entry/],
  },
  {
    when: 'a known failure is blocked',
    sketches: ['must:pass', 'must:blocked:2026-12-31'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/T-2/],
  },
  {
    when: 'one failure is known and another is not',
    sketches: ['must:fail:2026-12-31', 'must:fail'],
    verdict: 'nonconformant',
    status: 1,
    reasons: [/^T-2 failed: because$/, /^T-1 failed, a known deviation/],
  },
  {
    when: 'a failure is known and something else is open',
    sketches: ['must:pass', 'must:fail:2026-12-31', 'must:blocked'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^T-3 blocked/, /^T-2 failed, a known/],
  },
  {
    when: 'a failure is known and another known one passes',
    sketches: ['must:pass', 'must:fail:2026-12-31', 'must:pass:2026-12-31'],
    verdict: 'incomplete',
    status: 2,
    reasons: [/^T-3: a deviation is listed/, /^T-2 failed, a known/],
  },
  {
    when: 'a should fails, as known',
    sketches: ['must:pass', 'should:fail:2026-12-31'],
    verdict: 'conformant',
    status: 0,
    reasons: [],
  },
  {
    when: 'a known failure of a should has expired',
    sketches: ['must:pass', 'should:fail:2026-01-01'],
    verdict: 'conformant',
    status: 0,
    reasons: [],
  },
];

describe('the verdict and the exit status if', () => {
  test.each(rows)('$when', ({ sketches, verdict, status, reasons }) => {
    const results = sketches.map(toResult);
    const judged = judge(toFindings(results));
    expect(judged.verdict).toBe(verdict);
    expect(judged.reasons).toHaveLength(reasons.length);
    for (const [index, reason] of reasons.entries()) expect(judged.reasons[index]).toMatch(reason);
    expect(exitStatus(toReport(results))).toBe(status);
  });
});

test('a requirement that no run can test does not make a run incomplete', () => {
  const untestable: Result = { ...toResult('must:untested', 0), id: 'RECORD-17' };
  const passed = toResult('must:pass', 0);
  expect(judge(toFindings([passed, untestable]))).toEqual({ verdict: 'conformant', reasons: [] });
  expect(exitStatus(toReport([toResult('must:fail:2026-12-31', 0), untestable]))).toBe(0);
  expect(judge(toFindings([untestable])).verdict).toBe('incomplete');
});

test('a run that did not select all binding requirements of its areas is incomplete', () => {
  const passed = { ...toResult('must:pass', 0), id: 'RECORD-1' };
  const { verdict, reasons } = judge({ ...toFindings([passed]), areas: ['record'] });
  expect(verdict).toBe('incomplete');
  expect(reasons).toEqual([
    expect.stringMatching(/^\d+ requirements of level must were not selected$/),
  ]);
});

test('a run of chosen requirements is about them alone', () => {
  const passed = { ...toResult('must:pass', 0), id: 'RECORD-1' };
  const judgeOnly = (...only: string[]) => judge({ results: [passed], only }).verdict;
  expect(judgeOnly('RECORD-1')).toBe('conformant');
  expect(judgeOnly('RECORD-1', 'RECORD-2')).toBe('incomplete');
});

test('an interrupted run is incomplete, or nonconformant if a must had already failed', () => {
  const interrupted = (...sketches: Sketch[]) =>
    judge({ ...toFindings(sketches.map(toResult)), interrupted: true });
  expect(interrupted('must:pass')).toEqual({
    verdict: 'incomplete',
    reasons: ['the run was interrupted'],
  });
  expect(interrupted('must:fail', 'must:untested').verdict).toBe('nonconformant');
});

test('the run of a target that cannot be judged is incomplete, with its own exit status', () => {
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
