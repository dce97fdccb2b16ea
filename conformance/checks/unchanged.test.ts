import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import { run } from '../run.ts';

const only = ['RECORD-15', 'RECORD-16', 'AUTH-7'];
const goLive = 'let the suite go live: add --control-url, --ingest-command or --manual';

test.each([
  {
    retrieval: 'still shows the value before',
    retrieve: async (response: Response) =>
      Response.json({ ...(await response.json()), record: false }),
    message: `a stream that shows its record value: GET /stream/{id} still showed record false after it was set to true; if the value is stored all the same, ${goLive}`,
  },
  {
    retrieval: 'is not offered',
    retrieve: async () => new Response(null, { status: 404 }),
    message: `sessions of its own: ${goLive}`,
  },
])('without sessions, retrieval that $retrieval blocks in words of its own', async (row) => {
  const mock = createMock({ now: Date.now });
  const { results } = await run({
    baseUrl: 'http://mock.test/api',
    apiKey: mock.apiKey,
    only,
    send: async (request) => {
      const response = await mock.fetch(request);
      const isRetrieval = request.method === 'GET' && /\/stream\/[^/]+$/.test(request.url);
      return isRetrieval ? row.retrieve(response) : response;
    },
  });
  expect(results.map(({ id, outcome, message }) => ({ id, outcome, message }))).toEqual(
    only.map((id) => ({ id, outcome: 'blocked', message: row.message })),
  );
});
