import { expect, test } from 'vitest';
import { testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { hideSecrets, readHeaders } from './hide-secrets.ts';

const key = 'test-a/b+c~"d\\e.f-0123456789';

test.each([
  { form: 'plainly', written: key },
  { form: 'in a URL', written: encodeURIComponent(key) },
  {
    form: 'in a URL, with codes in lower case',
    written: encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  },
  {
    form: 'in a URL, with every character encoded',
    written: key.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  },
  { form: 'in JSON', written: JSON.stringify(key).slice(1, -1) },
  { form: 'in JSON within JSON', written: JSON.stringify(JSON.stringify(key)).slice(3, -3) },
])('a key that is written $form is hidden', ({ written }) => {
  expect(hideSecrets([key])(`<${written}>`)).toBe('<[API key]>');
});

test.each([6, 9, 20])('the first %i characters of a key are hidden before a cut', (length) => {
  const hide = hideSecrets([key]);
  expect(hide(`got "${key.slice(0, length)}…"`)).toBe('got "[API key]…"');
  expect(hide(`got "${encodeURIComponent('test-a/')}%2…"`)).toBe(
    'got "test-a%2F%2…"'.replace('test-a%2F%2', '[API key]'),
  );
});

test('text that only begins like a key is not hidden', () => {
  expect(hideSecrets(['test-demo'])('test-dem, test-')).toBe('test-dem, test-');
});

test('a key that begins with another key is hidden as a whole', () => {
  expect(hideSecrets(['secret', 'secret-2'])('secret-2 secret')).toBe('[API key] [API key]');
});

test('cookies are hidden as a whole, and a header named __proto__ is left out', () => {
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
  { place: 'an unknown path', line: `GET /${longKey}`, parts: {} },
  { place: 'a body that is not JSON', line: 'POST /api/stream', parts: { body: longKey } },
  {
    place: 'an invalid body',
    line: 'POST /api/stream',
    parts: { body: JSON.stringify({ name: [], record: longKey }) },
  },
])(
  'a long key in $place is not in the response that the journal keeps',
  async ({ line, parts }) => {
    const mock = createMock();
    await mock.fetch(testRequest(line, { authorization: `Bearer ${longKey}`, ...parts }));
    const requests = (await mock.world(longKey)).requests();
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(requests)).not.toContain(longKey.slice(0, 10));
  },
);
