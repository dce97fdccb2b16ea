import { expect, test } from 'vitest';
import { inOrder, type Ordered, takePage } from './ordered.ts';

function numbersTo(count: number): Ordered<{ value: number }> {
  return inOrder(Array.from({ length: count }, (_, index) => ({ value: index + 1 })));
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

test('what is filtered out does not count towards the limit', () => {
  const { records } = takePage(numbersTo(6), { limit: 2 }, ({ value }) => value % 2 === 1);
  expect(records.map(({ value }) => value)).toEqual([5, 3]);
});
