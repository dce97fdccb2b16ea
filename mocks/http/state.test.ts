import { expect, test } from 'vitest';
import { serveMock } from '../../conformance/servers.test-support.ts';
import { stateType } from '../service/snapshot.ts';
import { stateText } from './request.test-support.ts';

test('a large world is exported over HTTP, imported into another mock and exported as the same bytes', async () => {
  const now = () => Date.UTC(2026, 0, 1);
  const from = await serveMock({ world: 'crowded', streams: 4_000, now });
  const to = await serveMock({ now });
  const text = await (await send(from, 'GET')).text();
  expect(text.length).toBeGreaterThan(4_000_000);
  expect(text).toBe(stateText((await from.mock.world()).exportState()));

  const { body } = await send(from, 'GET');
  expect((await send(to, 'PUT', body)).status).toBe(204);

  const again = await send(to, 'GET');
  expect(again.headers.get('content-type')).toBe(stateType);
  expect((await again.text()) === text).toBe(true);
});

function send(
  { controlUrl }: { controlUrl: string },
  method: string,
  body: ReadableStream | null = null,
): Promise<Response> {
  const headers = { authorization: 'Bearer test-demo' };
  // `duplex` is not in the types of Node yet.
  return fetch(`${controlUrl}/state`, { method, headers, body, duplex: 'half' } as RequestInit);
}
