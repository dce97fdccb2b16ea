import { expect, test } from 'vitest';
import type { FoundDifference, Line } from '../model/comparison.ts';
import { adoptLine } from './adopt-line.ts';

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

test('a row does not get a second value', () => {
  const found = [difference(echo, [])];
  expect(adoptLine({ line: none, others: [] }, found)).toBeUndefined();
  expect(adoptLine({ line: none, others: [etag] }, found)).toEqual({ line: etag, others: [] });
  expect(found).toMatchObject([{ line: echo, others: [] }]);
});
