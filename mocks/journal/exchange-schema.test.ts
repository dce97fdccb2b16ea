import { expect, test } from 'vitest';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { testKey } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { validate } from '../problems/validate.ts';
import { exchangeSchema } from './exchange-schema.ts';

const exchange = {
  number: 1,
  startedAt: 0,
  at: 0,
  request: { method: 'GET', url: 'http://mock.test/', headers: {} },
  answer: { status: 200, headers: {} },
};

test.each<[object, string]>([
  [{ number: 'one' }, 'number: expected a whole number, got "one"'],
  [{ fault: 'one' }, 'fault: expected a whole number, got "one"'],
  [
    { operation: 'list' },
    `operation: expected one of ${clientOperationNames.join(', ')}, got "list"`,
  ],
  [{ request: 7 }, 'request: expected an object with the keys method, url, headers, body, got 7'],
  [
    { answer: { status: 200, headers: [] } },
    'answer.headers: expected an object of texts, got an array of 0',
  ],
  [{ answer: { status: 200, headers: { a: 1 } } }, 'answer.headers.a: expected a string, got 1'],
  [
    { more: 1 },
    'body: expected no keys but number, startedAt, at, operation, fault, request, answer, got "more"',
  ],
])('an exchange with %j is refused in our words', (change, text) => {
  expect(validate(exchangeSchema, exchange)).toEqual(exchange);
  expect(() => validate(exchangeSchema, { ...exchange, ...change })).toThrow(text);
});

test.each([
  ['method', 'POST; touch x #', 'an HTTP method'],
  ['method', 'GET\n', 'an HTTP method'],
  ['method', '', 'an HTTP method'],
  ['url', '-o/tmp/x', 'an http or https URL'],
  ['url', '@/etc/passwd', 'an http or https URL'],
  ['url', 'file:///etc/passwd', 'an http or https URL'],
  ['url', '/api/stream', 'an http or https URL'],
])('a request with the %s %j is refused', (key, value, expected) => {
  const request = { ...exchange.request, [key]: value };
  expect(() => validate(exchangeSchema, { ...exchange, request })).toThrow(
    `request.${key}: expected ${expected}, got ${JSON.stringify(value)}`,
  );
});

test.each([
  ['@/etc/passwd', 'a', 'the name of an HTTP header, got "@/etc/passwd"'],
  ['a b', 'a', 'the name of an HTTP header, got "a b"'],
  ['', 'a', 'the name of an HTTP header, got ""'],
  ['x-text', 'a\r\nb: c', 'the value of an HTTP header, got "a\\r\\nb: c"'],
  ['x-text', '\0', 'the value of an HTTP header, got "\\u0000"'],
  ['x-text', '…', 'the value of an HTTP header, got "…"'],
])('a header %j with %j is refused', (name, value, text) => {
  const request = { ...exchange.request, headers: { [name]: value } };
  expect(() => validate(exchangeSchema, { ...exchange, request })).toThrow(`expected ${text}`);
});

test('what a journal writes of requests out of the ordinary is taken', async () => {
  const mock = createMock();
  const headers = { authorization: `Bearer ${testKey}`, "x-'`$&|": '\u00e4\t"', 'x-empty': '' };
  for (const url of [`http://${testKey}/api/stream`, `https://[::1]:1/api/stream?${testKey}#[y]`]) {
    await mock.fetch(new Request(url, { method: "x'`$&|", headers }));
  }
  const world = await mock.world(testKey);
  await world.importState(world.exportState({ journal: true }));
  expect(world.requests().map(({ request }) => request.url)).toEqual([
    'http://[API key]/api/stream',
    'https://[::1]:1/api/stream?[API key]#[y]',
  ]);
});
