import { describe, expect, test } from 'vitest';
import { against, shownDeleted as difference, showsDeleted } from './against.test-support.ts';
import { compare } from './compare.ts';
import { comparisonStatus, parseKnown } from './comparison.ts';
import { entryOf } from './report.ts';

const reason = 'our service shows what it deleted';
/** Those of a sequence that deletes a stream. */
const { seed, sequence } = await findSequence();

async function findSequence(): Promise<{ seed: number; sequence: number }> {
  const { differences } = await compare({ ...against(showsDeleted), operations: 500, most: 1 });
  const [found] = differences;
  if (found === undefined) throw new Error('expected a difference');
  const { seed = 1, sequence = 0 } = found;
  return { seed, sequence };
}

const known = [{ difference, reason, seed, sequence }];

describe('known differences', () => {
  test('are accepted, with their reason', async () => {
    const comparison = await compare({ ...against(showsDeleted), known, operations: 300 });
    expect(comparison.differences).toMatchObject([{ place: difference, known: reason }]);
    expect(comparisonStatus(comparison)).toBe(0);
  });

  test('can be pasted from the entries of new differences, and their sequences run first', async () => {
    const found = await compare({ ...against(showsDeleted), operations: 500, most: 1, seed: 7 });
    const [entry] = found.differences.map((one) => JSON.parse(entryOf(one)));
    expect(entry).toEqual({
      difference,
      reason: 'write why it is accepted',
      seed: 7,
      sequence: expect.any(Number),
    });
    const again = await compare({ ...against(showsDeleted), known: [entry], operations: 1 });
    expect(again).toMatchObject({
      differences: [{ known: 'write why it is accepted' }],
      unseen: [],
      unsteady: 0,
    });
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
  ])('cannot be %s', (text, message) => {
    expect(() => parseKnown(text)).toThrow(message);
  });
});
