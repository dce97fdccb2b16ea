import { expect, test } from 'vitest';
import { hideKeys } from '../../text/redact.ts';
import { testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { readHeaders } from './read-headers.ts';

test('a header whose name has a key in it is left out', () => {
  const headers: [string, string][] = [
    ['x-TEST-secret', 'a'],
    ['x-trace', 'b'],
  ];
  expect(readHeaders(headers, hideKeys(['test-secret']))).toEqual({ 'x-trace': 'b' });
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
  expect(readHeaders(headers, (text) => text)).toEqual({
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
