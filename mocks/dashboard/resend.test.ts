import { expect, test } from 'vitest';
import { asCode, canResend, completeRequest, faultLike } from './resend.ts';

const origin = 'http://127.0.0.1:4100';
const recorded = {
  method: 'POST',
  headers: { authorization: 'Bearer [API key]', 'content-length': '16', accept: 'text/plain' },
  body: `{"name":"Peter's"}`,
};

test.each([
  { url: `${origin}/api/stream`, key: 'test-demo', resent: true },
  // For curl, this is an address at elsewhere.test; for a browser it is not.
  { url: `${origin}\\@elsewhere.test/api`, key: 'test-demo', resent: true },
  { url: `${origin}/_mock/reset`, key: 'test-demo', resent: false },
  { url: `${origin}/%5Fmock/reset`, key: 'test-demo', resent: false },
  { url: `${origin}//_mock%2Freset`, key: 'test-demo', resent: false },
  { url: `${origin}/_mocks/stream`, key: 'test-demo', resent: true },
  { url: 'http://elsewhere.test/api', key: '[API key]', resent: false },
  { url: 'http://127.0.0.1:1/api', key: '[API key]', resent: false },
  { url: `${origin}@elsewhere.test/api`, key: '[API key]', resent: false },
])('the request to $url has the key $key, and resent is $resent', (row) => {
  const complete = completeRequest({ ...recorded, url: row.url }, 'test-demo', origin);
  if (complete === undefined) expect.fail('expected a request that can be sent again');
  expect(canResend(complete)).toBe(row.resent);
  const [[, curl] = [], [, code] = []] = asCode(complete);
  expect(curl).toContain(`-H 'authorization: Bearer ${row.key}'`);
  expect(curl).toContain(`--url '${new URL(row.url).href}'`);
  expect(curl).not.toContain('content-length');
  expect(code).toContain(`fetch("${new URL(row.url).href}", {"method":"POST"`);
});

test('a URL that contained the key cannot be sent again', () => {
  const request = { ...recorded, url: 'http://[API key]/api' };
  expect(completeRequest(request, 'test-demo', origin)).toBeUndefined();
});

test.each([
  { path: '/api/playback/a1', response: { status: 404, body: '{}' }, effect: 'answer', id: 'a1' },
  { path: '/api/stream/b2/sessions?record=1', response: { status: 0 }, effect: 'reset', id: 'b2' },
  { path: '/api/stream', response: { status: 201 }, effect: 'answer', id: '' },
])('a fault like the response to $path has its effect, operation and id', (row) => {
  const exchange = {
    number: 1,
    at: 0,
    startedAt: 0,
    operation: 'retrieveStream',
    request: { ...recorded, url: origin + row.path },
    response: { headers: {}, ...row.response },
  } as const;
  const { effect, id } = row;
  expect(faultLike(exchange, '/api')).toMatchObject({ effect, id, operation: 'retrieveStream' });
});
