import { expect, test } from 'vitest';
import { nearKeys, secretsOf, showsKey } from './near-keys.ts';

test('a short key has near keys that differ in up to a third of it', () => {
  expect(nearKeys('test-demo')).toEqual({
    cut: 'test-dem',
    extended: 'test-demo0',
    first: 'uftt-demo',
    middle: 'tesu0eemo',
    last: 'test-dfnp',
    letterCase: 'TEST-DEMO',
    punctuation: 'testdemo',
  });
});

test('a long key has near keys that differ in four characters of the same kind', () => {
  expect(nearKeys('0e9c41f7-5d8b-4a6e-9f3c-7b2a1c0d9e8z')).toEqual({
    cut: '0e9c41f7-5d8b-4a6e-9f3c-7b2a1c0d',
    extended: '0e9c41f7-5d8b-4a6e-9f3c-7b2a1c0d9e8z0000',
    first: '1f0d41f7-5d8b-4a6e-9f3c-7b2a1c0d9e8z',
    middle: '0e9c41f7-5d8b-4a7f00f3c-7b2a1c0d9e8z',
    last: '0e9c41f7-5d8b-4a6e-9f3c-7b2a1c0d0f9a',
    letterCase: '0E9C41F7-5D8B-4A6E-9F3C-7B2A1C0D9E8Z',
    punctuation: '0e9c41f75d8b4a6e9f3c7b2a1c0d9e8z',
  });
});

test('a key without letters and punctuation has no near key that differs only in them', () => {
  expect(Object.keys(nearKeys('1230'))).toEqual(['cut', 'extended', 'first', 'middle', 'last']);
});

test.each(['x', '==', '12-30', 'Key-Z9+x==', 'clé', '🔑🔑🔑🔑'])(
  'every near key of %j is another key',
  (apiKey) => {
    const keys = Object.values(nearKeys(apiKey));
    expect(keys).not.toContain(apiKey);
    expect(new Set(keys).size).toBeGreaterThan(2);
  },
);

test('near keys are hidden like the key, except for one or two characters of ordinary text', () => {
  expect(secretsOf('abcd')).toEqual(['abcd', 'abc', 'abcd0', 'bbcd', 'accd', 'abce', 'ABCD']);
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
  expect(showsKey(value, ['another-key', key].flatMap(secretsOf))).toBe(true);
});

test.each([
  { value: { demo: false }, key: 'demo' },
  { value: { status: 404, body: 'empty' }, key: 'status' },
  { value: { durationSeconds: 0 }, key: 'test-second' },
  { value: 'streams', key: 'test-stream' },
  { value: { demo: 'text', test: 'text' }, key: 'test-demo' },
  { value: { product: 'text' }, key: apiKey },
])('$value is written though the key is $key', ({ value, key }) => {
  expect(showsKey(value, secretsOf(key))).toBe(false);
});
