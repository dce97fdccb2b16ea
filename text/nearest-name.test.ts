import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const options = ['base-url', 'port', 'prefix', 'timeout', 'rate', 'with', 'verbose'];

test.each([
  ['base', 'base-url'],
  ['prot', 'port'],
  ['tiemout', 'timeout'],
  ['verbos3', 'verbose'],
  ['prefixes', 'prefix'],
])('%s resembles %s', (typed, name) => {
  expect(nearestName(typed, options)).toBe(name);
});

test.each(['insecure', 'data', 'watch', 'verify', 'no', ''])('"%s" resembles none', (typed) => {
  expect(nearestName(typed, options)).toBeUndefined();
});
