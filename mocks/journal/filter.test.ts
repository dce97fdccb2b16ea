import { expect, test } from 'vitest';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import type { Exchange } from './exchange.ts';

/** A mock that has answered four requests, a minute apart. */
async function askedMock() {
  const mock = createMock();
  const world = await mock.world(testKey);
  const start = world.clock.now();
  for (const [line, body] of [
    ['POST /api/stream', '{"name":"Harbour camera"}'],
    ['POST /api/stream', '{}'],
    ['GET /api/stream/unknown'],
    ['GET /api/stream'],
  ] as const) {
    await mock.fetch(testRequest(line, body === undefined ? {} : { body }));
    world.clock.advance('1m');
  }
  const minutes = (count: number): number => start + count * 60_000;
  return { ...mock, minutes };
}

test.each<[string, (minutes: (count: number) => number) => string, number[]]>([
  ['nothing', () => '', [1, 2, 3, 4]],
  ['an operation', () => 'operation=createStream', [1, 2]],
  ['a status', () => 'status=422', [2]],
  ['a class of statuses', () => 'status=4xx', [2, 3]],
  ['another class', () => 'status=2XX', [1, 4]],
  ['all but media', () => 'media=0', [1, 2, 3, 4]],
  ['a number from which on', () => 'from=3', [3, 4]],
  ['broken connections', () => 'status=0', []],
  ['a moment from which on', (minutes) => `since=${minutes(2)}`, [3, 4]],
  ['a moment up to which', (minutes) => `until=${minutes(1)}`, [1, 2]],
  ['all of it at once', (minutes) => `operation=createStream&status=4xx&since=${minutes(1)}`, [2]],
])('asked for %s, the journal shows just that', async (_, query, expected) => {
  const { fetch, minutes } = await askedMock();
  const answer = await fetch(testRequest(`GET /_mock/requests?${query(minutes)}`));
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as Exchange[]).map(({ number }) => number)).toEqual(expected);
});

test('what players fetch is left out where media is 0', async () => {
  const { fetch } = createMock();
  await fetch(testRequest('GET /hls/unknown/index.m3u8'));
  await fetch(testRequest('GET /api/stream'));
  await fetch(testRequest('GET /unknown'));
  const answer = await fetch(testRequest('GET /_mock/requests?media=0'));
  const exchanges = (await answer.json()) as Exchange[];
  expect(exchanges.map(({ operation }) => operation)).toEqual(['listStreams', undefined]);
});

const statusForm = 'a status such as 404, or a class such as 4xx';

test.each([
  [
    'operation=createStreams',
    `query operation: expected one of ${clientOperationNames.join(', ')}, got "createStreams"`,
  ],
  ['status=20', `query status: expected ${statusForm}, got "20"`],
  ['status=x04', `query status: expected ${statusForm}, got "x04"`],
  ['status=', `query status: expected ${statusForm}, got ""`],
  ['media=1', 'query media: expected 0, to leave it out, got "1"'],
  ['from=first', 'query from: expected the number of an exchange, got "first"'],
  ['since=yesterday', 'query since: expected milliseconds since 1970, got "yesterday"'],
  ['until=-1', 'query until: expected milliseconds since 1970, got "-1"'],
])('the query %s is refused, as JSON and as an archive', async (query, text) => {
  const { fetch } = createMock();
  for (const path of ['requests', 'requests.har']) {
    const answer = await fetch(testRequest(`GET /_mock/${path}?${query}`));
    expect([answer.status, await answer.json()]).toEqual([422, { errors: [text] }]);
  }
});
