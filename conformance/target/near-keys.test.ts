import { expect, test } from 'vitest';
import { nearKeys, secretsOf } from './near-keys.ts';

test.each([
  ['test-demo', 'test-dem', 'test-demo0', 'Test-demo'],
  ['Key-Z9+x==', 'Key-Z9+x=', 'Key-Z9+x==0', 'key-Z9+x=='],
  ['12-30', '12-3', '12-300', '02-30'],
  ['02-30', '02-3', '02-300', '12-30'],
  ['==', '=', '==0', '0='],
  ['x', '', 'x0', 'X'],
])('the key %j has three near keys', (apiKey, cut, extended, similar) => {
  expect(nearKeys(apiKey)).toEqual({ cut, extended, similar });
});

test('near keys are hidden like the key, except for one or two characters of ordinary text', () => {
  expect(secretsOf('abcd')).toEqual(['abcd', 'abc', 'abcd0', 'Abcd']);
  expect(secretsOf('k')).toEqual(['k']);
});
