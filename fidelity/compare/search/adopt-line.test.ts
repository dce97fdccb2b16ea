import { expect, test } from 'vitest';
import type { FoundDifference, Line } from '../model/comparison.ts';
import { adoptLine, withdrawLine } from './adopt-line.ts';

const echo: Line = { row: 'cors.requests', value: 'echo' };
const none: Line = { row: 'cors.requests', value: 'none' };
const etag: Line = { row: 'http.etag', value: 'present' };

function difference(line: Line, others: readonly Line[]): FoundDifference {
  return {
    ...{ signature: 'listStreams | status | 200 ≠ 403', seed: 1, path: '0:0', line, others },
    found: { operation: 'listStreams', about: [], where: 'status', kinds: ['200', '403'] },
    words: ['200', '403'],
    transcript: { steps: [], responses: [[], []] },
  };
}

test('a later difference decides between the lines that fit an earlier one', () => {
  const found = [difference(echo, [none, etag])];
  expect(adoptLine({ line: none, others: [] }, found)).toEqual({ line: none, others: [] });
  expect(found).toMatchObject([{ line: none, others: [etag] }]);
});

test('an absent operation explains what was taken for a refusal of it', () => {
  const absent: Line = { row: 'operation.retrieveStream', value: { status: 405 } };
  const unknownId: Line = { row: 'refusal.unknown-id.retrieveStream', value: { status: 405 } };
  const otherKey: Line = { row: 'refusal.other-key.retrieveStream', value: { status: 405 } };
  const found = [difference(unknownId, [otherKey, absent]), difference(otherKey, [])];
  expect(adoptLine({ line: absent, others: [] }, found)).toEqual({ line: absent, others: [] });
  expect(found).toMatchObject([
    { line: absent, others: [] },
    { line: otherKey, others: [] },
  ]);
});

test('a row does not get a second value', () => {
  const found = [difference(echo, [])];
  expect(adoptLine({ line: none, others: [] }, found)).toBeUndefined();
  expect(adoptLine({ line: none, others: [etag] }, found)).toEqual({ line: etag, others: [] });
  expect(found).toMatchObject([{ line: echo, others: [] }]);
});

test('an earlier difference that a row cannot explain any more gets a line of another row', () => {
  const found = [difference(echo, [etag])];
  expect(adoptLine({ line: none, others: [] }, found)).toEqual({ line: none, others: [] });
  expect(found).toMatchObject([{ line: etag, others: [] }]);
});

test('a line that is taken back leaves another one that fits, if there is one', () => {
  const found = [difference(echo, [none, etag]), difference(etag, []), difference(echo, [])];
  withdrawLine('cors.requests', found);
  expect(found.map(({ line }) => line)).toEqual([etag, etag, undefined]);
  const alone = [difference(echo, [none, etag])];
  withdrawLine('cors.requests', alone);
  expect(alone).toMatchObject([{ line: etag, others: [] }]);
});
