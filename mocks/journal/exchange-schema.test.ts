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

test.each<{ change: object; issue: string }>([
  { change: { number: 'one' }, issue: 'number: expected a whole number, got "one"' },
  { change: { fault: 'one' }, issue: 'fault: expected a whole number, got "one"' },
  {
    change: { operation: 'list' },
    issue: `operation: expected one of ${clientOperationNames.join(', ')}, got "list"`,
  },
  {
    change: { request: 7 },
    issue: 'request: expected an object with the keys method, url, headers, body, got 7',
  },
  {
    change: { answer: { status: 200, headers: [] } },
    issue: 'answer.headers: expected an object of texts, got an array of 0',
  },
  {
    change: { answer: { status: 200, headers: { a: 1 } } },
    issue: 'answer.headers.a: expected a string, got 1',
  },
  {
    change: { more: 1 },
    issue:
      'body: expected no keys but number, startedAt, at, operation, fault, static, request, answer, got "more"',
  },
])('an exchange with $change is refused: $issue', ({ change, issue }) => {
  expect(validate(exchangeSchema, exchange)).toEqual(exchange);
  expect(() => validate(exchangeSchema, { ...exchange, ...change })).toThrow(issue);
});

test.each([
  { key: 'method', value: 'POST; touch x #', expected: 'an HTTP method' },
  { key: 'method', value: 'GET\n', expected: 'an HTTP method' },
  { key: 'method', value: '', expected: 'an HTTP method' },
  { key: 'url', value: '-o/tmp/x', expected: 'an http or https URL' },
  { key: 'url', value: '@/etc/passwd', expected: 'an http or https URL' },
  { key: 'url', value: 'file:///etc/passwd', expected: 'an http or https URL' },
  { key: 'url', value: '/api/stream', expected: 'an http or https URL' },
])('a request with the $key $value is refused', ({ key, value, expected }) => {
  const request = { ...exchange.request, [key]: value };
  expect(() => validate(exchangeSchema, { ...exchange, request })).toThrow(
    `request.${key}: expected ${expected}, got ${JSON.stringify(value)}`,
  );
});

test.each([
  { name: '@/etc/passwd', value: 'a', issue: 'the name of an HTTP header, got "@/etc/passwd"' },
  { name: 'a b', value: 'a', issue: 'the name of an HTTP header, got "a b"' },
  { name: '', value: 'a', issue: 'the name of an HTTP header, got ""' },
  { name: 'x-text', value: 'a\r\nb: c', issue: 'the value of an HTTP header, got "a\\r\\nb: c"' },
  { name: 'x-text', value: '\0', issue: 'the value of an HTTP header, got "\\u0000"' },
  { name: 'x-text', value: '…', issue: 'the value of an HTTP header, got "…"' },
])('a header "$name" with "$value" is refused', ({ name, value, issue }) => {
  const request = { ...exchange.request, headers: { [name]: value } };
  expect(() => validate(exchangeSchema, { ...exchange, request })).toThrow(`expected ${issue}`);
});

test('the journal of unusual requests can be imported', async () => {
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
