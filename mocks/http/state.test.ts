import { expect, onTestFinished, test } from 'vitest';
import { type MockServer, serve } from '../adapters/node/node.ts';
import { createMock } from '../mock.ts';
import { stateType } from '../service/snapshot.ts';
import { stateText } from './request.test-support.ts';

test('a large world is exported over HTTP, imported into another mock and exported as the same bytes', async () => {
  const mocks = [createMock({ world: 'crowded', streams: 4_000 }), createMock()] as const;
  const [from, to] = [await serve(mocks[0]), await serve(mocks[1])] as const;
  onTestFinished(async () => {
    await from.close();
    await to.close();
  });
  const text = await (await send(from, 'GET')).text();
  expect(text.length).toBeGreaterThan(4_000_000);
  expect(text).toBe(stateText((await mocks[0].world()).exportState()));

  const { body } = await send(from, 'GET');
  expect((await send(to, 'PUT', body)).status).toBe(204);

  const again = await send(to, 'GET');
  expect(again.headers.get('content-type')).toBe(stateType);
  expect((await again.text()) === text).toBe(true);
});

function send(
  { controlUrl }: MockServer,
  method: string,
  body: ReadableStream | null = null,
): Promise<Response> {
  const headers = { authorization: 'Bearer test-demo' };
  // `duplex` is not in the types of Node yet.
  return fetch(`${controlUrl}/state`, { method, headers, body, duplex: 'half' } as RequestInit);
}
