import { expect, test } from 'vitest';
import type { TrialResult } from './client-report.ts';
import { judgeClient } from './client-verdict.ts';

/** A result whose only telling parts are these. */
function resultOf(given: Partial<TrialResult>): TrialResult {
  return {
    name: 'oldest-first',
    kind: 'variant',
    outcome: 'survived',
    statement: 'Lists came oldest first.',
    changed: 0,
    answered: 0,
    ...given,
  };
}

const notTried = resultOf({ outcome: 'not-tried' });

test('an app that survives one variant survives, whatever was not met', () => {
  const results = [resultOf({}), resultOf({ outcome: 'not-met' })];
  expect(judgeClient({ results })).toEqual({ verdict: 'survives', reasons: [] });
});

test('a combination that breaks the app was met, though there was no time for its variants alone', () => {
  const combination = resultOf({ kind: 'combination', name: 'a+b', outcome: 'broken' });
  expect(judgeClient({ results: [notTried, notTried, combination] })).toEqual({
    verdict: 'breaks',
    reasons: ['a+b breaks the app: Lists came oldest first.'],
  });
});

test('what --only names may be none that counts', () => {
  const { verdict, reasons } = judgeClient({ results: [resultOf({ kind: 'apart' })] });
  expect(verdict).toBe('undecided');
  expect(reasons).toEqual([expect.stringContaining('Nothing was tried that counts')]);
});

test('a run that was interrupted is not told to take more time', () => {
  expect(judgeClient({ results: [notTried], interrupted: true })).toEqual({
    verdict: 'undecided',
    reasons: ['The run was interrupted.'],
  });
});

test.each([
  ['variant', 0, 'the tests do not use the variant that LIVESTREAM_VARIANT names.'],
  ['variant', 9, 'the tests do nothing that shows them.'],
  ['dialect', 0, 'the tests do not use the dialect at LIVESTREAM_DIALECT_URL.'],
] as const)('of a %s that answered %i requests and changed none: %s', (kind, answered, reason) => {
  const { verdict, reasons } = judgeClient({
    results: [resultOf({ kind, answered, outcome: 'not-met' })],
  });
  expect(verdict).toBe('undecided');
  expect(reasons).toEqual([`None of 1 ${kind} changed a response: ${reason}`]);
});
