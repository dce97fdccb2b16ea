import { expect, test } from 'vitest';
import { hiddenBy, type RowId, rowOf, usualBehaviours } from '../../interface/silent.ts';
import { mockToLearn, seenAtLeast } from './learn.test-support.ts';
import { learnOnce } from './learn.ts';

const cors: readonly RowId[] = [
  'cors.exposed-headers',
  'cors.allowed-headers',
  'cors.allowed-methods',
  'cors.max-age',
];

/** Rows that nobody can notice where another has a value, although the table does not say so. */
const unnoticed: readonly { row: RowId; value: unknown; rows: readonly RowId[] }[] = [
  {
    row: 'list.limit',
    value: 'ignored',
    rows: ['order.listSessionsOfStream', 'list.next', 'list.full-last-page'],
  },
  { row: 'list.limit', value: { status: 422 }, rows: ['list.next', 'list.full-last-page'] },
  { row: 'list.impossible-limit', value: 'ignored', rows: ['order.listSessionsOfStream'] },
  { row: 'cors.requests', value: 'none', rows: cors },
  { row: 'cors.requests', value: { status: 403 }, rows: cors },
];

function rowsUnnoticed(row: RowId, value: unknown): readonly RowId[] {
  const text = JSON.stringify(value);
  const found = unnoticed.find((one) => one.row === row && JSON.stringify(one.value) === text);
  return found?.rows ?? [];
}

/** Tests that each other value of some rows is learned as exactly that, and nothing else. */
export function testRows(rows: readonly RowId[]): void {
  const values = rows.flatMap((row) => rowOf(row).samples.map((value) => ({ row, value })));
  test.each(values)('$row: $value', async ({ row, value }) => {
    const { rows: learned, dialect } = await learnOnce(mockToLearn({ rows: { [row]: value } }));
    const hidden = hiddenBy(row, value);
    const expected = Object.entries({ ...usualBehaviours, ...seenAtLeast, [row]: value }).filter(
      ([id]) => ![...hidden, ...rowsUnnoticed(row, value)].includes(id as RowId),
    );
    expect(dialect.rows).toEqual(Object.fromEntries(expected));
    expect(dialect.breaks).toBeUndefined();
    for (const id of hidden) expect(learned[id]?.outcome).toBe('hidden');
  });
}
