import { isDeepStrictEqual } from 'node:util';
import { type Behaviours, hiddenBy, type RowId, rowIds } from '../../interface/silent.ts';
import type { Learned } from '../learn/learn.ts';
import { dialectOf, type Judged, learnMock } from './judged.ts';

/** Learns a mock that differs in one value. @returns what was learned instead of it alone, if anything */
export async function judgeLearning(judged: Judged, usual: Learned): Promise<string[]> {
  return misjudged(judged, await learnMock(dialectOf(judged)), usual);
}

/** What was learned instead of one value alone: a line for each row. */
export function misjudged(
  { row, value }: Judged,
  learned: Pick<Learned, 'dialect' | 'rows'>,
  usual: Pick<Learned, 'dialect'>,
): string[] {
  const expected: Partial<Behaviours> = { ...usual.dialect.rows, [row]: value };
  const hidden = [
    ...hiddenBy(row, value),
    ...(hiddenTogether.get(JSON.stringify([row, value])) ?? []),
  ];
  const wrong = rowIds.filter((id) => {
    const found = learned.dialect.rows[id];
    return hidden.includes(id) ? found !== undefined : !isDeepStrictEqual(found, expected[id]);
  });
  const breaks = learned.dialect.breaks && [`breaks ${JSON.stringify(learned.dialect.breaks)}`];
  return [...wrong.map((id) => describe(id, learned)), ...(breaks ?? [])];
}

/**
 * Rows that nobody can notice beside a value while the other rows have their defaults: without a small
 * limit no list of a few streams has a second page.
 */
const hiddenTogether: ReadonlyMap<string, readonly RowId[]> = new Map([
  ['["list.limit","ignored"]', ['list.next', 'list.full-last-page']],
  ['["list.limit",{"status":422}]', ['list.next', 'list.full-last-page']],
]);

function describe(id: RowId, { rows }: Pick<Learned, 'rows'>): string {
  const { outcome, value, reason } = rows[id] ?? { outcome: 'not asked' };
  const said = value === undefined ? reason : JSON.stringify(value);
  return `${id} ${outcome}${said === undefined ? '' : `: ${said}`}`;
}
