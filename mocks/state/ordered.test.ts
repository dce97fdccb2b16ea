import { expect, test } from 'vitest';
import { addRow, emptyOrder, noteDeleted, type Ordered, recordsOf, takePage } from './ordered.ts';

function numbersTo(count: number): Ordered<{ value: number }> {
  const ordered = emptyOrder<{ value: number }>();
  for (let value = 1; value <= count; value++) add(ordered, value);
  return ordered;
}

function add(ordered: Ordered<{ value: number }>, value: number): void {
  addRow(ordered, { place: ordered.end, record: { value } });
}

function remove(ordered: Ordered<{ value: number }>, value: number): void {
  const row = ordered.rows.find(({ record }) => record?.value === value);
  if (row === undefined) throw new Error(`expected a row of ${value}`);
  row.record = undefined;
  noteDeleted(ordered, 1);
}

function pages(ordered: Ordered<{ value: number }>, limit: number): number[][] {
  const taken: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = takePage(ordered, { limit, ...(cursor && { cursor }) }, () => true);
    taken.push(page.records.map(({ value }) => value));
    cursor = page.next;
  } while (cursor !== undefined);
  return taken;
}

test('pages go through the records newest first', () => {
  expect(pages(numbersTo(5), 2)).toEqual([[5, 4], [3, 2], [1]]);
});

test('a full last page is followed by an empty one', () => {
  expect(pages(numbersTo(4), 2)).toEqual([[4, 3], [2, 1], []]);
});

test('a page continues where the last one ended, whatever came and went in between', () => {
  const ordered = numbersTo(6);
  const { next } = takePage(ordered, { limit: 2 }, () => true);
  for (const value of [5, 1, 2, 6]) remove(ordered, value);
  add(ordered, 7);
  const { records } = takePage(ordered, { limit: 2, ...(next && { cursor: next }) }, () => true);
  expect(records.map(({ value }) => value)).toEqual([4, 3]);
});

test('what is deleted is in no page, and takes no more room than what is left', () => {
  const ordered = numbersTo(100);
  for (let value = 1; value <= 97; value++) remove(ordered, value);
  expect(pages(ordered, 2)).toEqual([[100, 99], [98]]);
  expect(recordsOf(ordered).map(({ value }) => value)).toEqual([98, 99, 100]);
  expect(ordered.rows.length).toBeLessThan(7);
});

test('what is filtered out does not count towards the limit', () => {
  const { records } = takePage(numbersTo(6), { limit: 2 }, ({ value }) => value % 2 === 1);
  expect(records.map(({ value }) => value)).toEqual([5, 3]);
});

test('a cursor that is none of ours is refused', () => {
  for (const cursor of ['!', 'abc']) {
    expect(() => takePage(numbersTo(1), { limit: 1, cursor }, () => true)).toThrow(
      `query cursor: expected one from a Link header, got "${cursor}"`,
    );
  }
});
