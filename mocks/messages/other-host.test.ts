import { expect, test } from 'vitest';
import { otherHost } from './other-host.ts';

test.each([
  ['127.0.0.1', 'localhost'],
  ['localhost', '127.0.0.1'],
  ['livestream.test', 'media.livestream.test'],
  // Clients could not resolve any other name.
  ['mock', 'mock'],
  ['192.168.0.7', '192.168.0.7'],
  ['[::1]', '[::1]'],
])('another host of %s is %s', (host, other) => {
  expect(otherHost(host)).toBe(other);
});
