import { expect, test } from 'vitest';
import { createHeaderReader } from './raw-headers.ts';

const raw = (length: string): string[] => [
  'Content-Length',
  length,
  'X-Twice',
  'a',
  'x-twice',
  'b',
];

test('headers that repeat the last ones are the same object, and others are not', () => {
  const read = createHeaderReader();
  const first = read(raw('16'));
  expect(read(raw('16'))).toBe(first);
  const second = read(raw('17'));
  expect(second).not.toBe(first);
  expect([first, second].map((headers) => headers.get('content-length'))).toEqual(['16', '17']);
  expect(read(raw('16').slice(0, 2)).has('x-twice')).toBe(false);
});

test('a header that is sent twice is read as one, as the platform does', () => {
  const headers = createHeaderReader()(raw('16'));
  expect(headers.get('X-TWICE')).toBe('a, b');
  expect([...headers]).toEqual([
    ['content-length', '16'],
    ['x-twice', 'a, b'],
  ]);
});
