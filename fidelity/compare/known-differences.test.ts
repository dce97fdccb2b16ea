import { describe, expect, test } from 'vitest';
import { against, shownDeleted as difference, showsDeleted } from './against.test-support.ts';
import { compare } from './compare.ts';
import { comparisonStatus } from './comparison-report.ts';
import { entryOf, parseKnown } from './known-differences.ts';

const reason = 'our service shows what it deleted';
/** Compares a service that shows what it deletes, until the first difference. */
const limits = { operations: 500, maxDifferences: 1, seed: 7 };
const found = await compare({ ...against(showsDeleted), ...limits });
const [pasted] = found.differences.map((one) => JSON.parse(entryOf(one)));
const known = [{ ...pasted, reason }];

describe('known differences', () => {
  test('can be pasted from the entries of new differences, and their sequences run first', async () => {
    const entry = { difference, reason: 'write why it is accepted', seed: 7 };
    expect(pasted).toEqual({ ...entry, sequence: expect.any(Number) });
    const again = await compare({ ...against(showsDeleted), known, operations: 1 });
    expect(again).toMatchObject({ differences: [{ known: reason }], unseen: [], unsteady: 0 });
    expect(comparisonStatus({ ...again, byOperation: {} })).toBe(0);
  });

  test('fail the run once neither their sequence nor the search shows them', async () => {
    const comparison = await compare({ ...against(), known, operations: 300 });
    expect(comparison).toMatchObject({ unseen: [difference], unsteady: 0 });
    expect(comparisonStatus(comparison)).toBe(1);
  });

  test('need not appear if they have no sequence', async () => {
    const written = [{ difference, reason }];
    const absent = await compare({ ...against(), known: written, operations: 300 });
    expect([absent.unseen, comparisonStatus(absent)]).toEqual([[], 0]);
    const there = await compare({ ...against(showsDeleted), known: written, operations: 300 });
    expect(there.differences).toMatchObject([{ known: reason }]);
  });

  test('leave the verdict open if there is no time for them', async () => {
    const comparison = await compare({ ...against(showsDeleted), known, time: 0 });
    expect(comparison).toMatchObject({ end: 'time ran out', unseen: [] });
    expect(comparisonStatus(comparison)).toBe(2);
  });

  test.each([
    [
      '{"known":[{"difference":"a","reason":"write why it is accepted"}]}',
      'known[0].reason: expected your own reason in place of "write why it is accepted"',
    ],
    ['{"known":[],"knwon":1}', 'expected an object with only the key known'],
    [
      '{"known":[{"difference":"a","reason":"b","expires":"c"}]}',
      'known[0]: expected an object with only difference and reason, and perhaps seed and sequence',
    ],
    ['{"known":[{"reason":"b"}]}', 'known[0].difference: expected a difference'],
    ...['-1', '1.5'].map((seed) => [
      `{"known":[{"difference":"a","reason":"b","seed":${seed}}]}`,
      'known[0].seed: expected a whole number of at least 0',
    ]),
  ])('cannot be %s', (text, message) => {
    expect(() => parseKnown(text)).toThrow(message);
  });
});
