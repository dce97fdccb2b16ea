import { expect, test } from 'vitest';
import { showsKey } from './prober.ts';

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
