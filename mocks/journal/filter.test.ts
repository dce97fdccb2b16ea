import { expect, test } from 'vitest';
import { clientOperationNames } from '../../interface/operation-names.ts';
import { casesOf } from '../../tools/cases.test-support.ts';
import { testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import type { Exchange } from './exchange.ts';

/** A mock that has responded to six requests. */
const { fetch } = createMock();
await fetch(testRequest('POST /api/stream', { body: '{"name":"Harbour camera"}' }));
await fetch(testRequest('POST /api/stream', { body: '{}' }));
await fetch(testRequest('GET /api/stream/unknown'));
await fetch(testRequest('GET /api/stream'));
await fetch(testRequest('GET /unknown'));
await fetch(testRequest('GET /hls/unknown/index.m3u8'));

test.each([
  { query: '', numbers: [1, 2, 3, 4, 5] },
  { query: 'media=0', numbers: [1, 2, 3, 4, 5] },
  { query: 'operation=createStream', numbers: [1, 2] },
  { query: 'status=422', numbers: [2] },
  { query: 'status=4xx', numbers: [2, 3, 5] },
  { query: 'status=2XX', numbers: [1, 4] },
  { query: 'fault=any', numbers: [] },
  { query: 'search=harbour%20CAMERA', numbers: [1, 4] },
  { query: 'search=/stream/unk', numbers: [3] },
  { query: 'from=3', numbers: [3, 4, 5] },
  { query: 'status=0', numbers: [] },
  { query: 'operation=createStream&status=4xx', numbers: [2] },
])('the query $query selects the exchanges $numbers', async ({ query, numbers }) => {
  const response = await fetch(testRequest(`GET /_mock/requests?${query}`));
  expect(response.status).toBe(200);
  expect(((await response.json()) as Exchange[]).map(({ number }) => number)).toEqual(numbers);
});

test.each(
  casesOf(`
operation=createStreams
  query operation: expected one of ${clientOperationNames.join(', ')}, got "createStreams"
status=9xx
  query status: expected a status such as 404, or a class such as 4xx, got "9xx"
search=a&search=b
  query search: expected one value, got more
opration=createStream
  query: expected no parameters but operation, status, media, fault, search, from, got "opration"
`),
)('the query %s is refused, as JSON and as an archive', async (query, error) => {
  for (const path of ['requests', 'requests.har']) {
    const response = await fetch(testRequest(`GET /_mock/${path}?${query}`));
    expect([response.status, await response.json()]).toEqual([422, { errors: [error] }]);
  }
});
