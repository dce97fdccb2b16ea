import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { Blocked, exchangesOf } from '../requests/failure.ts';
import { readTarget, type Target } from '../requests/target.ts';
import { serveHttp } from '../servers.test-support.ts';
import type { CreatedStream } from '../streams/stream-requests.ts';
import { controlProvider } from './control-provider.ts';

const apiKey = 'test-control';
const stream: CreatedStream = { id: 'a+b', streamKey: 'key', fields: {} };
const session = { id: 's', record: true };

test('the key goes only to a control API at the origin of the base URL', async () => {
  const near = await serveHttp(respond(201, session));
  const far = await serveHttp(respond(201, session));
  await controlProvider(target(near.origin), `${near.origin}/control`).broadcast(stream, 1);
  await controlProvider(target(near.origin), `${far.origin}/control`).broadcast(stream, 1);
  expect(near.received[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(far.received).toHaveLength(1);
  expect(JSON.stringify(far.received)).not.toContain(apiKey);
});

test('a session that lasts until it is stopped is started and stopped without a body', async () => {
  const bodies: string[] = [];
  const { origin, received } = await serveHttp(async (request, out) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    respond(request.url?.endsWith('/stop') ? 200 : 201, session)(request, out);
  });
  const provider = controlProvider(target(origin), origin);
  expect(await provider.broadcast(stream, 8)).toEqual(session);
  await (await provider.goLive?.(stream))?.();
  expect(received[0]?.url).toBe('/streams/a%2Bb/start');
  expect(bodies).toEqual(['{"duration":8}', '', '']);
  const types = received.map(({ headers }) => headers['content-type']);
  expect(types).toEqual(['application/json', undefined, undefined]);
});

test('the evidence of a session is the request that began it, with the id of its stream', async () => {
  const { origin } = await serveHttp(respond(201, session));
  const begun = await controlProvider(target(origin), origin).broadcast(stream, 8);
  const [{ curl = '' } = {}] = exchangesOf([begun]);
  expect(curl).toContain(`--url '${origin}/streams/a%2Bb/start'`);
  expect(curl).toContain('{"duration":8}');
});

test('a control API that starts another stream is not used again', async () => {
  const { origin, received } = await serveHttp(respond(201, { ...session, parentId: 'other' }));
  const provider = controlProvider(target(origin), origin);
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(provider.broadcast(stream, 1)).rejects.toThrow(
      'is not used any more, as it started stream "other" instead',
    );
  }
  expect(received).toHaveLength(1);
});

test('a redirect of the control API is not followed', async () => {
  const far = await serveHttp(respond(201, session));
  const near = await serveHttp((_, out) => out.writeHead(307, { location: far.origin }).end());
  const provider = controlProvider(target(near.origin), near.origin);
  await expect(provider.broadcast(stream, 1)).rejects.toThrow(
    /expected a status from 200 to 299, got 307$/,
  );
  expect(far.received).toEqual([]);
});

test.each<[does: string, listener: RequestListener, message: RegExp]>([
  [
    'answers 404',
    respond(404, {}),
    /POST http.*\/start: expected a status from 200 to 299, got 404$/,
  ],
  ['answers no object', respond(201, []), /expected a JSON object, got an array$/],
  ['hangs in its response', (_, out) => out.writeHead(201).flushHeaders(), /within 250 ms$/],
  // Without an id, so that the message is the same for all streams.
  ['closes', (request) => request.socket.destroy(), /s\/\{id\}\/start: expected a .*ECONNRESET/],
])('going live is blocked, and says why, if the control API %s', async (_, listener, message) => {
  const { origin } = await serveHttp(listener);
  const provider = controlProvider({ ...target(origin), timeout: 200 }, origin);
  const broadcast = provider.broadcast(stream, 0.05);
  await expect(broadcast).rejects.toThrow(Blocked);
  await expect(broadcast).rejects.toThrow(
    /^going live through the control API \(--control-url\): /,
  );
  await expect(broadcast).rejects.toThrow(message);
});

function target(baseUrl: string): Target {
  const read = readTarget({ baseUrl, apiKey, timeout: 2_000 });
  read.gate.addMadeUp(stream.id);
  return read;
}

function respond(status: number, body: unknown): RequestListener {
  return (_, response) => response.writeHead(status).end(JSON.stringify(body));
}
