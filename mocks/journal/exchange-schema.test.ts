import { expect, test } from 'vitest';
import { clientOperationNames } from '../http/operation-names.ts';
import { validate } from '../validate.ts';
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
