import { expect, test } from 'vitest';
import { byteStream, joinedSource, literalSource, repeatedSource, tableSource } from './bytes.ts';

const text = literalSource(new TextEncoder().encode('text'));
const empty = literalSource(new Uint8Array(0));
const pattern = repeatedSource(Uint8Array.of(1, 2, 3), 8);
const pairs = tableSource(3, (index) => Uint8Array.of(index, index ** 2));

test.each([
  { what: 'a literal', source: text, whole: [116, 101, 120, 116] },
  { what: 'nothing', source: empty, whole: [] },
  { what: 'a pattern', source: pattern, whole: [1, 2, 3, 1, 2, 3, 1, 2] },
  { what: 'a table', source: pairs, whole: [0, 0, 1, 1, 2, 4] },
  { what: 'an empty table', source: tableSource(0, () => new Uint8Array(2)), whole: [] },
  {
    what: 'several sources',
    source: joinedSource([pairs, empty, Uint8Array.of(9), pattern]),
    whole: [0, 0, 1, 1, 2, 4, 9, 1, 2, 3, 1, 2, 3, 1, 2],
  },
])('any range of $what is that slice of the whole', ({ source, whole }) => {
  expect(source.length).toBe(whole.length);
  for (let start = 0; start <= whole.length; start++) {
    for (let end = start; end <= whole.length; end++) {
      expect([...source.read(start, end)]).toEqual(whole.slice(start, end));
    }
  }
});

test('a table computes only the entries that the range touches', () => {
  const computed: number[] = [];
  const squares = tableSource(1_000_000, (index) => {
    computed.push(index);
    return Uint8Array.of(index, index ** 2);
  });
  computed.length = 0;
  expect([...squares.read(5, 9)]).toEqual([4, 3, 9, 4]);
  expect(computed).toEqual([2, 3, 4]);
});

test('a stream computes a chunk only when it is read', async () => {
  const reads: [number, number][] = [];
  const read = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    reads.push([start, end]);
    return new Uint8Array(end - start);
  };
  const reader = byteStream({ length: 1_000_000, read }, 100, 900_000).getReader();
  expect(reads).toEqual([]);
  await reader.read();
  await reader.read();
  expect(reads).toEqual([
    [100, 65_636],
    [65_636, 131_172],
  ]);
  await reader.cancel();
  expect(reads).toHaveLength(2);
});
