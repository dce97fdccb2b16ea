import { expect, test } from 'vitest';
import type { RowId } from '../../interface/silent.ts';
import { mockToLearn } from '../learn/learn.test-support.ts';
import { learnOnce } from '../learn/learn.ts';
import { dialectOf, everyValue } from './judged.ts';
import { misjudged } from './learning.ts';

/** Tests that each other value of some rows is learned as exactly that, and nothing else. */
export function testRows(rows: readonly RowId[]): void {
  const usual = learnOnce(mockToLearn());
  const values = everyValue.filter(({ row }) => rows.includes(row));
  test.each(values)('$row: $value', async (judged) => {
    const learned = await learnOnce(mockToLearn(dialectOf(judged)));
    expect(misjudged(judged, learned, await usual)).toEqual([]);
  });
}
