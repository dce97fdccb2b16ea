import { expect, test } from 'vitest';
import type { Evidence } from '../../target/requests/evidence.ts';
import { nearKeys } from '../../target/requests/near-keys.ts';
import { serveHttp, serveMock, serveProxy } from '../../target/servers.test-support.ts';
import { run } from '../run-suite.ts';

const apiKey = 'test-near';
const near = Object.values(nearKeys(apiKey)).map((key) => `Bearer ${key}`);

test('near keys are sent to switch recording and to list, never to create, and only to the origin of the base URL', async () => {
  const { mock } = await serveMock();
  const media = await serveHttp((_, out) => out.writeHead(404).end());
  const proxy = await serveProxy({ mock }, ({ url }) =>
    url.includes('/recordings/') ? Response.redirect(media.origin, 302) : undefined,
  );
  const provider = { controlUrl: proxy.controlUrl };
  await run({ apiKey, baseUrl: proxy.baseUrl, provider, patience: 50 });
  const sent = proxy.received.filter(({ headers }) => near.includes(`${headers.authorization}`));
  const kinds = sent.map(({ method, url }) => `${method} ${url.replace(/[0-9a-f-]{36}/, 'ID')}`);
  expect([...new Set(kinds)].sort()).toEqual([
    'GET /api/stream/ID/sessions?record=1',
    'PATCH /api/stream/ID/record',
  ]);
  expect(sent).toHaveLength(14);
  expect(media.received.length).toBeGreaterThan(0);
  expect(media.received.filter(({ headers }) => headers.authorization)).toEqual([]);
});

test('the evidence of an accepted near key is the request that carried it', async () => {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, (request) => {
    const headers = new Headers(request.headers);
    const key = `${headers.get('authorization')}`;
    if (key.toLowerCase() === `bearer ${apiKey}`) headers.set('authorization', `Bearer ${apiKey}`);
    return mock.fetch(new Request(request, { headers }));
  });
  const { results } = await run({ apiKey, baseUrl: proxy.baseUrl, only: ['AUTH-11', 'AUTH-12'] });
  expect(results.map(({ message }) => message)).toEqual([expected, expected]);
  expect(results.map(({ evidence: [first] }) => kindOf(first))).toEqual(['PATCH', 'GET']);
  // With the right key pasted into the line, the request would rightly succeed.
  for (const { evidence } of results) {
    expect(evidence[0]?.curl).toContain(
      "'authorization: Bearer [a key that differs from the right one only in letter case]'",
    );
    expect(JSON.stringify(evidence)).not.toMatch(/est-near/i);
  }
});

const expected =
  'requests with a key that differs only in letter case or punctuation: expected all 2 to be refused with a status from 400 to 499, got a success for 1: a key that differs from the right one only in letter case';

function kindOf(exchange: Evidence | undefined): string {
  return /-X '(\w+)'/.exec(exchange?.curl ?? '')?.[1] ?? 'GET';
}
