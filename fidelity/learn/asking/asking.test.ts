import { expect, test } from 'vitest';
import type { LearnOptions } from '../ask-target.ts';
import { mockToLearn, observeOnly } from '../learn.test-support.ts';
import { toDialect } from '../learn.ts';
import { showsKey } from './asking.ts';

const apiKey = 'acmeproductionkey';

/** What learns a mock that has another API key and names keys of its JSON by it. */
function namingKeys(): LearnOptions {
  const options = mockToLearn();
  const rename = (text: string): string =>
    text
      .replaceAll('"recordingUrl"', `"${apiKey}"`)
      .replaceAll('"sourceBytes"', `"${apiKey.slice(0, -1)}"`);
  const send: LearnOptions['send'] = async (request) => {
    const headers = new Headers(request.headers);
    const authorization = headers.get('authorization')?.replace(apiKey, options.apiKey);
    if (authorization !== undefined) headers.set('authorization', authorization);
    const response = await options.send?.(new Request(request, { headers }));
    if (response?.status !== 200 && response?.status !== 201) return response ?? Response.error();
    return new Response(rename(await response.text()), response);
  };
  return { ...options, apiKey, send };
}

test('an API key that names keys of streams and sessions is in no dialect', async () => {
  const names = ['behaviours.stream.further-keys', 'behaviours.keys.spelling'];
  const observed = await observeOnly(namingKeys(), ...names);
  expect(JSON.stringify(toDialect(observed))).not.toMatch(/acmeprod/i);
  expect(names.map((name) => observed.get(name)?.outcome)).toEqual(['unsayable', 'unsayable']);
});

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
