import { expect, test } from 'vitest';
import { nearKeys, secretsOf, showsKey } from './near-keys.ts';

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

const apiKey = 'acmeproductionkey';

test.each([
  { value: { [apiKey]: 'text' } },
  { value: { [apiKey.slice(0, -1)]: 'text' } },
  { value: ['AcmeProductionKey'] },
  { value: { code: `E-${apiKey}0` } },
  { value: btoa(apiKey) },
  { value: 'my-test-demo', key: 'test-demo' },
  { value: 'Test-Dem', key: 'test-demo' },
])('$value shows the key $key', ({ value, key = apiKey }) => {
  expect(showsKey(value, ['another-key', key])).toBe(true);
});

test.each([
  { value: { demo: false }, key: 'demo' },
  { value: { status: 404, body: 'empty' }, key: 'status' },
  { value: { durationSeconds: 0 }, key: 'test-second' },
  { value: 'streams', key: 'test-stream' },
  { value: { demo: 'text', test: 'text' }, key: 'test-demo' },
  { value: { product: 'text' }, key: apiKey },
])('$value is written though the key is $key', ({ value, key }) => {
  expect(showsKey(value, [key])).toBe(false);
});
