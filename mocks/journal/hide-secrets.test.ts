import { expect, test } from 'vitest';
import { testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { hideSecrets, readHeaders } from './hide-secrets.ts';

const key = 'test-a/b+c~"d\\e.f-0123456789';

test.each([
  ['as it is', key],
  ['in an address', encodeURIComponent(key)],
  [
    'in an address, in small letters',
    encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  ],
  [
    'in an address, every character escaped',
    key.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  ],
  ['in JSON', JSON.stringify(key).slice(1, -1)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
])('a key is hidden %s', (_, written) => {
  expect(hideSecrets([key])(`<${written}>`)).toBe('<[API key]>');
});

test.each([6, 9, 20])('the first %i characters of a key are hidden where it is cut', (length) => {
  const hide = hideSecrets([key]);
  expect(hide(`got "${key.slice(0, length)}…"`)).toBe('got "[API key]…"');
  expect(hide(`got "${encodeURIComponent('test-a/')}%2…"`)).toBe(
    'got "test-a%2F%2…"'.replace('test-a%2F%2', '[API key]'),
  );
});

test('what only begins like a key stays', () => {
  expect(hideSecrets(['test-demo'])('test-dem, test-')).toBe('test-dem, test-');
});

test('of two keys the longer is hidden whole', () => {
  expect(hideSecrets(['secret', 'secret-2'])('secret-2 secret')).toBe('[API key] [API key]');
});

test('cookies are hidden as a whole, and a header of no honest name is left out', () => {
  const headers: [string, string][] = [
    ['cookie', 'session=abc'],
    ['set-cookie', 'session=abc'],
    ['proxy-authorization', 'Basic abc'],
    ['authorization', 'Basic abc'],
    ['accept', 'abc'],
    ['__proto__', 'abc'],
  ];
  expect(readHeaders(headers, hideSecrets([]))).toEqual({
    cookie: '[hidden]',
    'set-cookie': '[hidden]',
    'proxy-authorization': '[hidden]',
    authorization: 'Basic [API key]',
    accept: 'abc',
  });
});

const longKey = `test-${'0123456789'.repeat(15)}`;

test.each([
  ['an unknown path', `GET /${longKey}`, undefined],
  ['a body that is no JSON', 'POST /api/stream', longKey],
  ['a body that does not fit', 'POST /api/stream', JSON.stringify({ name: [], record: longKey })],
])('a long key in %s is not in the answer that the journal keeps', async (_, line, body) => {
  const mock = createMock();
  const parts = body === undefined ? {} : { body };
  await mock.fetch(testRequest(line, { authorization: `Bearer ${longKey}`, ...parts }));
  const requests = (await mock.world(longKey)).requests();
  expect(requests).toHaveLength(1);
  expect(JSON.stringify(requests)).not.toContain(longKey.slice(0, 10));
});
