import { expect, test } from 'vitest';
import { type MockServer, serve } from '../adapters/node/node.ts';
import { createMock, type Mock } from '../mock.ts';
import { stateType } from '../service/snapshot.ts';
import { stateText } from './request.test-support.ts';

test('a large world is exported over HTTP, imported into another mock and exported as the same bytes', async () => {
  const mocks = [createMock({ world: 'crowded', streams: 4_000 }), createMock()];
  const servers = await Promise.all(mocks.map((mock) => serve(mock)));
  const [from, to] = servers as [MockServer, MockServer];
  try {
    const text = await (await send(from, 'GET')).text();
    expect(text.length).toBeGreaterThan(4_000_000);
    expect(text).toBe(stateText((await (mocks[0] as Mock).world()).exportState()));

    const { body } = await send(from, 'GET');
    const imported = await send(to, 'PUT', body);
    expect(imported.status).toBe(204);

    const again = await send(to, 'GET');
    expect(again.headers.get('content-type')).toBe(stateType);
    expect((await again.text()) === text).toBe(true);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});

function send(
  { baseUrl }: MockServer,
  method: string,
  body: ReadableStream | null = null,
): Promise<Response> {
  const headers = { authorization: 'Bearer test-demo' };
  return fetch(new URL('/_mock/state', baseUrl), {
    method,
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
}
