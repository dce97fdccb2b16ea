import { expect, test } from 'vitest';
import { publicUrl } from './public-url.ts';

test.each([
  [undefined, 'http://10.0.0.7:4100/api/stream?limit=2'],
  ['https://mock.example', 'https://mock.example/api/stream?limit=2'],
])('with the media origin %s, clients reach the list of streams at %s', (mediaOrigin, expected) => {
  const url = new URL('http://10.0.0.7:4100/api/stream?limit=2');
  expect(publicUrl(url, mediaOrigin).href).toBe(expected);
});

test('a path never becomes a host', () => {
  const url = new URL('http://10.0.0.7:4100//evil.test/stream');
  expect(publicUrl(url, 'https://mock.example').href).toBe(
    'https://mock.example//evil.test/stream',
  );
});
