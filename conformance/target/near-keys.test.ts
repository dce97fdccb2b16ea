import { expect, test } from 'vitest';
import { nearKeys } from './near-keys.ts';

test.each([
  ['test-demo', { short: 'test-dem', long: 'test-demo0', similar: 'test-demO' }],
  ['Key-Z9==', { short: 'Key-Z9=', long: 'Key-Z9==0', similar: 'Key-z9==' }],
  ['12-30', { short: '12-3', long: '12-300', similar: '12-31' }],
  ['x', { short: '', long: 'x0', similar: 'X' }],
])('keys that are almost %j', (apiKey, expected) => {
  expect(nearKeys(apiKey)).toEqual(expected);
});
