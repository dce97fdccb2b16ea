import { expect, test } from 'vitest';
import { nearKeys, secretsOf } from './near-keys.ts';

test.each([
  ['test-demo', 'test-dem', 'test-demo0', 'Test-demo', 'test_demo', 'test-dem0'],
  ['Key-Z9+x==', 'Key-Z9+x=', 'Key-Z9+x==0', 'key-Z9+x==', 'Key_Z9+x==', 'Key-Z9+x=-'],
  ['12-30', '12-3', '12-300', '02-30', '12_30', '12-31'],
  ['abcd', 'abc', 'abcd0', 'Abcd', 'ab0d', 'abc0'],
  ['x', '', 'x0', 'X', '0', '0'],
])('keys that are almost %j', (apiKey, short, long, similar, middle, last) => {
  expect(nearKeys(apiKey)).toEqual({ short, long, similar, middle, last });
});

test('near keys are hidden like the key, except for one or two characters of ordinary text', () => {
  expect(secretsOf('abcd')).toEqual(['abcd', 'abc', 'abcd0', 'Abcd', 'ab0d', 'abc0']);
  expect(secretsOf('k')).toEqual(['k']);
});
