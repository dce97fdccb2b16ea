import { expect, test } from 'vitest';
import type { Outcome, Result, Verdict } from '../model/report.ts';
import type { Level } from '../model/requirement-facts.ts';
import { passed } from '../report/sample.test-support.ts';
import { withoutExpired } from './deviations.ts';
import { exitStatus, groundsOf, judge } from './verdict.ts';

const today = '2026-11-20';
const deviates = 'conformant-with-deviations';
const knownFailure = /^T-2 failed, a known deviation \(known\): b/;
const expired = /^T-2 .* deviation expired on 2026-11-19$/;
const needlessEntry = /^T-2: a deviation is listed, .*; remove/;

/** A result in short form, such as `must:fail`, with the expiry date of its known deviation. */
type Sketch = `${Level}:${Outcome}` | `${Level}:${Outcome}:${string}`;

test.each<[sketches: Sketch[], verdict: Verdict, status: number, reasons: RegExp[]]>([
  [['must:pass', 'should:pass', 'observe:noted'], 'conformant', 0, []],
  [['must:pass', 'must:fail'], 'nonconformant', 1, [/^T-2 failed: because$/]],
  [['must:pass', 'should:unmet'], 'conformant', 0, []],
  [['must:pass', 'should:blocked'], 'conformant', 0, []],
  [['must:pass', 'must:blocked'], 'incomplete', 2, [/^T-2 blocked: because$/]],
  [['must:pass', 'must:error'], 'incomplete', 2, [/^T-2 error/]],
  [['must:pass', 'must:blocked', 'must:blocked'], 'incomplete', 2, [/^T-2, T-3 blocked: because$/]],
  [['must:pass', 'must:inapplicable'], deviates, 0, [/^T-2 inapplicable: because$/]],
  [['must:inapplicable'], 'incomplete', 2, [/^no requirement was tested$/, /^T-1/]],
  [['should:pass'], 'incomplete', 2, [/^no requirement was tested$/]],
  [['must:pass', 'must:fail:2026-12-31'], deviates, 0, [knownFailure]],
  // Today is its last day.
  [['must:fail:2026-11-20'], deviates, 0, [/T-1/]],
  [['must:pass', 'must:fail:2026-11-19'], 'nonconformant', 1, [expired]],
  [['must:pass', 'must:pass:2026-12-31'], 'incomplete', 2, [needlessEntry]],
  [['must:pass', 'must:fail:never', 'must:blocked'], 'incomplete', 2, [/^T-3 b/, knownFailure]],
  [['must:pass', 'should:unmet:2026-12-31'], 'conformant', 0, []],
])('results of %j make a run %s, with the exit status %i', (sketches, verdict, status, reasons) => {
  const results = sketches.map(toResult);
  const judged = judge(toFindings(results));
  expect(judged.verdict).toBe(verdict);
  expect(judged.reasons).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
  expect(exitStatus({ verdict })).toBe(status);
});

test('a requirement that no run can test is listed, and does not make a run incomplete', () => {
  const untestable = toResult('must:untestable', 0);
  const findings = toFindings([toResult('must:pass', 0), untestable]);
  expect(judge(findings)).toEqual({ verdict: 'conformant', reasons: [] });
  expect(groundsOf(findings).untestable).toEqual([untestable]);
  expect(judge(toFindings([untestable])).verdict).toBe('incomplete');
});

function toResult(sketch: Sketch, index: number): Result {
  const [level, outcome, expires] = sketch.split(':') as [Level, Outcome, string | undefined];
  const id = `T-${index + 1}`;
  const message = outcome === 'pass' ? {} : { message: 'because' };
  const expiry = expires === 'never' || expires === undefined ? {} : { expires };
  const deviation = expires === undefined ? {} : { deviation: { reason: 'known', ...expiry } };
  return { ...passed, id, level, outcome, ...message, ...deviation };
}

function toFindings(results: Result[]): Parameters<typeof judge>[0] {
  return { results: results.map((result) => withoutExpired(result, today)) };
}
