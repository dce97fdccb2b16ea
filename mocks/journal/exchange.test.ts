import { expect, test } from 'vitest';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { casesOf } from '../../tools/cases.test-support.ts';
import { stateText, testKey } from '../http/request.test-support.ts';
import { validate } from '../messages/validate.ts';
import { createMock } from '../mock.ts';
import { parseState } from '../service/exported-state.ts';
import { exchangeSchema } from './exchange.ts';

const exchange = {
  number: 1,
  startedAt: 0,
  at: 0,
  request: { method: 'GET', url: 'http://mock.test/', headers: {} },
  response: { status: 200, headers: {} },
};

test.each(
  casesOf(`
{"number":"one"}
  number: expected a whole number, got "one"
{"operation":"list"}
  operation: expected one of ${clientOperationNames.join(', ')}, got "list"
{"request":7}
  request: expected an object with the keys method, url, headers, body, got 7
{"response":{"status":200,"headers":[]}}
  response.headers: expected an object of strings, got an array of 0
{"response":{"status":200,"headers":{"a":1}}}
  response.headers.a: expected a string, got 1
{"more":1}
  body: expected known keys (number, startedAt, at, operation, fault, static, request, response), got "more"
{"request":{"method":"POST; touch x #","url":"http://mock.test/","headers":{}}}
  request.method: expected an HTTP method, got "POST; touch x #"
{"request":{"method":"GET","url":"@/etc/passwd","headers":{}}}
  request.url: expected an http or https URL, got "@/etc/passwd"
{"request":{"method":"GET","url":"file:///etc/passwd","headers":{}}}
  request.url: expected an http or https URL, got "file:///etc/passwd"
{"request":{"method":"GET","url":"http://mock.test/","headers":{"@/etc/passwd":"a"}}}
  expected the name of an HTTP header, got "@/etc/passwd"
{"request":{"method":"GET","url":"http://mock.test/","headers":{"x-text":"a\\r\\nb: c"}}}
  expected the value of an HTTP header, got "a\\r\\nb: c"
{"request":{"method":"GET","url":"http://mock.test/","headers":{"x-text":"…"}}}
  expected the value of an HTTP header, got "…"
`),
)('an exchange with %s is refused: %s', (change, issue) => {
  expect(validate(exchangeSchema, exchange)).toEqual(exchange);
  expect(() => validate(exchangeSchema, { ...exchange, ...JSON.parse(change) })).toThrow(issue);
});

test('the journal of unusual requests, and faults with a deep body, can be imported', async () => {
  const mock = createMock();
  const headers = { authorization: `Bearer ${testKey}`, "x-'`$&|": '\u00e4\t"', 'x-empty': '' };
  for (const url of [`http://${testKey}/api/stream`, `https://[::1]:1/api/stream?${testKey}#[y]`]) {
    const request = new Request(url, { method: "x'`$&|", headers });
    request.headers.append('__proto__', 'polluted');
    await mock.fetch(request);
  }
  const world = await mock.world(testKey);
  const body = JSON.parse('['.repeat(20) + ']'.repeat(20));
  world.addFault({ effect: 'status', status: 503, body });
  await world.importState(await parseState(stateText(world.exportState({ journal: true }))));
  expect(world.requests().map(({ request }) => request.url)).toEqual([
    'http://[API key]/api/stream',
    'https://[::1]:1/api/stream?[API key]#[y]',
  ]);
});
