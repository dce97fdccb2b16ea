import { expect, test } from 'vitest';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { testRequest } from '../http/request.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import type { Exchange } from './exchange.ts';

/** Makes a mock that has responded to four requests. */
async function mockWithJournal(): Promise<Mock> {
  const mock = createMock();
  for (const [line, body] of [
    ['POST /api/stream', '{"name":"Harbour camera"}'],
    ['POST /api/stream', '{}'],
    ['GET /api/stream/unknown'],
    ['GET /api/stream'],
  ] as const) {
    await mock.fetch(testRequest(line, body === undefined ? {} : { body }));
  }
  return mock;
}

test.each([
  { query: '', numbers: [1, 2, 3, 4] },
  { query: 'operation=createStream', numbers: [1, 2] },
  { query: 'status=422', numbers: [2] },
  { query: 'status=4xx', numbers: [2, 3] },
  { query: 'status=2XX', numbers: [1, 4] },
  { query: 'fault=any', numbers: [] },
  { query: 'search=harbour%20CAMERA', numbers: [1, 4] },
  { query: 'search=/stream/unk', numbers: [3] },
  { query: 'from=3', numbers: [3, 4] },
  { query: 'status=0', numbers: [] },
  { query: 'operation=createStream&status=4xx', numbers: [2] },
])('the query $query selects the exchanges $numbers', async ({ query, numbers }) => {
  const { fetch } = await mockWithJournal();
  const response = await fetch(testRequest(`GET /_mock/requests?${query}`));
  expect(response.status).toBe(200);
  expect(((await response.json()) as Exchange[]).map(({ number }) => number)).toEqual(numbers);
});

test('media=0 leaves out what players fetch', async () => {
  const { fetch } = createMock();
  await fetch(testRequest('GET /hls/unknown/index.m3u8'));
  await fetch(testRequest('GET /api/stream'));
  await fetch(testRequest('GET /unknown'));
  const response = await fetch(testRequest('GET /_mock/requests?media=0'));
  const exchanges = (await response.json()) as Exchange[];
  expect(exchanges.map(({ operation }) => operation)).toEqual(['listStreams', undefined]);
});

const statusForm = 'a status such as 404, or a class such as 4xx';

test.each([
  {
    query: 'operation=createStreams',
    error: `query operation: expected one of ${clientOperationNames.join(', ')}, got "createStreams"`,
  },
  { query: 'status=9xx', error: `query status: expected ${statusForm}, got "9xx"` },
  { query: 'status=20', error: `query status: expected ${statusForm}, got "20"` },
  { query: 'media=1', error: 'query media: expected 0, to leave it out, got "1"' },
  { query: 'from=first', error: 'query from: expected the number of an exchange, got "first"' },
])('the query $query is refused, as JSON and as an archive', async ({ query, error }) => {
  const { fetch } = createMock();
  for (const path of ['requests', 'requests.har']) {
    const response = await fetch(testRequest(`GET /_mock/${path}?${query}`));
    expect([response.status, await response.json()]).toEqual([422, { errors: [error] }]);
  }
});
