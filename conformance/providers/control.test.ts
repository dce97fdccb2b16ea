import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { run } from '../run.ts';
import { serveHttp, serveMock, serveProxy } from '../servers.test-support.ts';
import { Blocked } from '../target/failure.ts';
import type { CreatedStream } from '../target/operations.ts';
import { readTarget } from '../target/read-target.ts';
import type { Target } from '../target/target.ts';
import { controlProvider } from './control.ts';

const apiKey = 'test-control';
const stream: CreatedStream = { id: 'a+ü', streamKey: 'key', shown: {} };
const session = { id: 's', record: true };

test('the control API gets the stream and the seconds, and its session is returned', async () => {
  const { origin, received } = await serveHttp(respond(201, session));
  const provider = controlProvider(target(origin), `${origin}/control/`);
  expect(await provider.broadcast(stream, 8)).toEqual(session);
  expect(received.map(({ url }) => url)).toEqual(['/control/streams/a%2B%C3%BC/start']);
});

test('the key goes only to a control API at the origin of the base URL', async () => {
  const near = await serveHttp(respond(201, session));
  const far = await serveHttp(respond(201, session));
  await controlProvider(target(near.origin), `${near.origin}/control`).broadcast(stream, 1);
  await controlProvider(target(near.origin), `${far.origin}/control`).broadcast(stream, 1);
  expect(near.received[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(far.received).toHaveLength(1);
  expect(JSON.stringify(far.received)).not.toContain(apiKey);
});

test('a session without a duration is started and stopped without a body', async () => {
  const bodies: string[] = [];
  const { origin, received } = await serveHttp(async (request, out) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    respond(request.url?.endsWith('/stop') ? 200 : 201, session)(request, out);
  });
  const provider = controlProvider(target(origin), origin);
  await provider.broadcast(stream, 8);
  await (await provider.goLive?.(stream))?.();
  expect(bodies).toEqual(['{"duration":8}', '', '']);
  expect(received.map(({ headers }) => headers['content-type'])).toEqual([
    'application/json',
    undefined,
    undefined,
  ]);
});

test('a control API that asks to wait is asked again', async () => {
  const responses = [respond(429, {}, { 'retry-after': '0' }), respond(201, session)];
  const { origin } = await serveHttp((request, out) => responses.shift()?.(request, out));
  expect(await controlProvider(target(origin), origin).broadcast(stream, 8)).toEqual(session);
});

test('a redirect of the control API is not followed', async () => {
  const far = await serveHttp(respond(201, session));
  const near = await serveHttp((_, out) => out.writeHead(307, { location: far.origin }).end());
  const provider = controlProvider(target(near.origin), near.origin);
  await expect(provider.broadcast(stream, 1)).rejects.toThrow(/expected status 201, got 307$/);
  expect(far.received).toEqual([]);
});

describe('going live is blocked, and says why, if the control API', () => {
  const rows: [does: string, listener: RequestListener, message: RegExp][] = [
    ['answers 404', respond(404, {}), /POST http.*\/start: expected status 201, got 404$/],
    ['answers 500', respond(500, {}), /expected status 201, got 500$/],
    ['answers 200', respond(200, session), /expected status 201, got 200$/],
    ['answers no object', respond(201, []), /expected a JSON object, got an array$/],
    [
      'answers no JSON',
      (_, out) => out.writeHead(201).end('<p>'),
      /expected a JSON body, got "<p>"$/,
    ],
    ['hangs', () => {}, /was not complete within 250 ms$/],
    ['hangs in its response', (_, out) => out.writeHead(201).flushHeaders(), /within 250 ms$/],
    ['closes', (request) => request.socket.destroy(), /expected a response, but .*ECONNRESET/],
  ];
  test.each(rows)('%s', async (_, listener, message) => {
    const { origin } = await serveHttp(listener);
    const provider = controlProvider({ ...target(origin), timeout: 200 }, origin);
    const error = await provider.broadcast(stream, 0.05).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Blocked);
    expect((error as Blocked).message).toMatch(/^going live through the control API: /);
    expect((error as Blocked).message).toMatch(message);
  });
});

test('if the control API fails, the checks that need sessions are blocked for one reason', async () => {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, ({ url }) =>
    url.endsWith('/start') ? new Response(null, { status: 503 }) : undefined,
  );
  const provider = { controlUrl: proxy.controlUrl };
  const report = await run({ baseUrl: proxy.baseUrl, apiKey, provider, patience: 100 });
  expect(report.verdict).toBe('incomplete');
  expect(report.results.filter(({ outcome }) => ['fail', 'error'].includes(outcome))).toEqual([]);
  const sharing = report.reasons.filter((reason) =>
    /LIST-2\b.*expected status 201, got 503/.test(reason),
  );
  expect(sharing).toHaveLength(1);
});

function target(baseUrl: string): Target {
  const read = readTarget({ baseUrl, apiKey, timeout: 2_000 });
  read.gate.adopt(stream.id);
  return read;
}

function respond(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(JSON.stringify(body));
}
