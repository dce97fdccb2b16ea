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

test('an apart variant with which the tests are unsteady does not count', () => {
  const results = [resultOf({}), resultOf({ kind: 'apart', outcome: 'unsteady' })];
  expect(judgeClient({ results })).toEqual({ verdict: 'survives', reasons: [] });
});

test('tests that are unsteady with a variant that counts leave the app undecided, with its message', () => {
  const message = 'With oldest-first, the tests failed, and then they passed.';
  const results = [resultOf({}), resultOf({ outcome: 'unsteady', message })];
  expect(judgeClient({ results })).toEqual({ verdict: 'undecided', reasons: [message] });
});

test.each([
  ['variant', 0, 'the tests do not use the variant that LIVESTREAM_VARIANT names.'],
  ['variant', 9, 'the tests do nothing that shows it.'],
  ['dialect', 0, 'the tests do not use the dialect at LIVESTREAM_DIALECT_URL.'],
] as const)('of a %s that answered %i requests and changed none: %s', (kind, answered, reason) => {
  const { verdict, reasons } = judgeClient({
    results: [resultOf({ kind, answered, outcome: 'not-met' })],
  });
  expect(verdict).toBe('undecided');
  expect(reasons).toEqual([`oldest-first changed no response: ${reason}`]);
});

test.each([
  [['variant', 'variant'], '2 variants', 'the variant that LIVESTREAM_VARIANT names'],
  [
    ['variant', 'dialect'],
    '2 variants and dialects',
    'the variant that LIVESTREAM_VARIANT names and the dialect at LIVESTREAM_DIALECT_URL',
  ],
] as const)('several that changed nothing are counted together: %j', (kinds, counted, source) => {
  const results = kinds.map((kind) => resultOf({ kind, outcome: 'not-met' }));
  expect(judgeClient({ results }).reasons).toEqual([
    `None of the ${counted} changed a response: the tests do not use ${source}.`,
  ]);
});

const cutOff = { duration: 5_200, plainDuration: 300 };

test('tests that the budget ended after several times as long as with the plain mock may hang', () => {
  const results = ['a', 'b'].map((name) => resultOf({ name, outcome: 'not-tried', cutOff }));
  expect(judgeClient({ results: [resultOf({}), ...results] })).toEqual({
    verdict: 'undecided',
    reasons: [
      'With a+b, the budget ended the tests after 5.2 s; with the plain mock they took 300 ms. They may hang: give more time with --budget, or less to each run with --timeout.',
    ],
  });
});

test.each([
  { kind: 'apart', cutOff },
  { known: 'mended next month', cutOff },
  { cutOff: { duration: 5_200, plainDuration: 4_000 } },
] as const)('nothing is held against an app that the budget ended with %j', (given) => {
  const results = [resultOf({}), resultOf({ outcome: 'not-tried', ...given })];
  expect(judgeClient({ results })).toEqual({ verdict: 'survives', reasons: [] });
});
