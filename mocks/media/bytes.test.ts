import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ByteSource, byteStream, joined, literal, repeated, table } from './bytes.ts';

const someBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.from(bytes));
const pattern = fc
  .uint8Array({ minLength: 1, maxLength: 7 })
  .map((bytes) => Uint8Array.from(bytes));

/** A source, and all its bytes. */
interface Sample {
  readonly source: ByteSource;
  readonly whole: Uint8Array;
}

const literalSample = someBytes.map((bytes): Sample => ({ source: literal(bytes), whole: bytes }));

const repeatedSample = fc.tuple(pattern, fc.nat({ max: 60 })).map(
  ([bytes, length]): Sample => ({
    source: repeated(bytes, length),
    whole: Uint8Array.from({ length }, (_, at) => bytes[at % bytes.length] ?? 0),
  }),
);

const tableSample = fc.array(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255))).map(
  (entries): Sample => ({
    source: table(entries.length, (index) => Uint8Array.from(entries[index] ?? [])),
    whole: Uint8Array.from(entries.flat()),
  }),
);

const simpleSample = fc.oneof(literalSample, repeatedSample, tableSample);

const joinedSample = fc.array(simpleSample, { maxLength: 5 }).map(
  (parts): Sample => ({
    source: joined(parts.map(({ source }) => source)),
    whole: Uint8Array.from(parts.flatMap(({ whole }) => [...whole])),
  }),
);

/** Two positions in the source, the first not after the second. */
function rangeOf(length: number): fc.Arbitrary<[number, number]> {
  return fc
    .tuple(fc.nat({ max: length }), fc.nat({ max: length }))
    .map(([one, other]) => [Math.min(one, other), Math.max(one, other)]);
}

test.each([
  ['literal', literalSample],
  ['repeated', repeatedSample],
  ['table', tableSample],
  ['joined', joinedSample],
])('any range of a %s source is that slice of the whole', (_, samples) => {
  const ranges = samples.chain((sample) =>
    fc.tuple(fc.constant(sample), rangeOf(sample.whole.length)),
  );
  fc.assert(
    fc.property(ranges, ([{ source, whole }, [start, end]]) => {
      expect(source.length).toBe(whole.length);
      expect(source.read(start, end)).toEqual(whole.slice(start, end));
    }),
  );
});

test('a table computes only the entries that the range touches', () => {
  const computed: number[] = [];
  const squares = table(1_000_000, (index) => {
    computed.push(index);
    return Uint8Array.of(index, index ** 2);
  });
  computed.length = 0;
  expect([...squares.read(5, 9)]).toEqual([4, 3, 9, 4]);
  expect(computed).toEqual([2, 3, 4]);
});

/** A source of zeros that records what is read of it. */
function watched(length: number): { source: ByteSource; reads: [number, number][] } {
  const reads: [number, number][] = [];
  const read = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    reads.push([start, end]);
    return new Uint8Array(end - start);
  };
  return { source: { length, read }, reads };
}

test('a stream computes a chunk when it is pulled, and none before', async () => {
  const { source, reads } = watched(1_000_000);
  const reader = byteStream(source, 100, 900_000).getReader();
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
