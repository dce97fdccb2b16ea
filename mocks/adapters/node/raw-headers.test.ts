import { expect, test } from 'vitest';
import { readRawHeaders } from './raw-headers.ts';

test('a header that is sent twice is read as one, as the platform does', () => {
  const headers = readRawHeaders(['Content-Length', '16', 'X-Twice', 'a', 'x-twice', 'b']);
  expect(headers.get('X-TWICE')).toBe('a, b');
  expect([headers.has('content-length'), headers.has('content-type')]).toEqual([true, false]);
  expect([...headers]).toEqual([
    ['content-length', '16'],
    ['x-twice', 'a, b'],
  ]);
});
