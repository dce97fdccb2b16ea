import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { run } from '../run.ts';
import { serveHttp, serveMock, serveProxy } from '../servers.test-support.ts';
import { Blocked } from '../target/failure.ts';
import type { CreatedStream } from '../target/operations.ts';
import type { Target } from '../target/target.ts';
import { controlProvider } from './control.ts';

const apiKey = 'test-control';
const stream: CreatedStream = { id: 'a/b c', streamKey: 'key', shown: {} };
const session = { id: 's', record: true };

test('the control API is told the stream and the seconds, and its session is told', async () => {
  const { origin, received } = await serveHttp(answer(201, session));
  const provider = controlProvider(target(origin), `${origin}/control/`);
  expect(await provider.broadcast(stream, 8)).toEqual(session);
  expect(received.map(({ url }) => url)).toEqual(['/control/streams/a%2Fb%20c/start']);
});

test('the key goes to a control API at the origin of the base URL, and to no other', async () => {
  const near = await serveHttp(answer(201, session));
  const far = await serveHttp(answer(201, session));
  await controlProvider(target(near.origin), `${near.origin}/control`).broadcast(stream, 1);
  await controlProvider(target(near.origin), `${far.origin}/control`).broadcast(stream, 1);
  expect(near.received[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(far.received).toHaveLength(1);
  expect(JSON.stringify(far.received)).not.toContain(apiKey);
});

test('what has no duration is started and stopped without a body', async () => {
  const bodies: string[] = [];
  const { origin, received } = await serveHttp(async (request, out) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    answer(request.url?.endsWith('/stop') ? 200 : 201, session)(request, out);
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

test('a redirect of the control API is not followed', async () => {
  const far = await serveHttp(answer(201, session));
  const near = await serveHttp((_, out) => out.writeHead(307, { location: far.origin }).end());
  const provider = controlProvider(target(near.origin), near.origin);
  await expect(provider.broadcast(stream, 1)).rejects.toThrow(/expected status 201, got 307$/);
  expect(far.received).toEqual([]);
});

describe('going live is blocked, and says why, where the control API', () => {
  const rows: [what: string, listener: RequestListener, message: RegExp][] = [
    ['answers 404', answer(404, {}), /POST http.*\/start: expected status 201, got 404$/],
    ['answers 500', answer(500, {}), /expected status 201, got 500$/],
    ['answers 200', answer(200, session), /expected status 201, got 200$/],
    ['answers no object', answer(201, []), /expected a JSON object, got an array$/],
    [
      'answers no JSON',
      (_, out) => out.writeHead(201).end('<p>'),
      /expected a JSON body, got "<p>"$/,
    ],
    ['hangs', () => {}, /was not complete within 250 ms$/],
    ['hangs in its answer', (_, out) => out.writeHead(201).flushHeaders(), /within 250 ms$/],
    ['closes', (request) => request.socket.destroy(), /expected a response, but .*UND_ERR_SOCKET/],
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

test('a run whose control API fails blocks what needs sessions, and says so once', async () => {
  const { mock } = await serveMock();
  const proxy = await serveProxy({ mock }, ({ url }) =>
    url.endsWith('/start') ? new Response(null, { status: 503 }) : undefined,
  );
  const provider = { controlUrl: proxy.controlUrl };
  const report = await run({ baseUrl: proxy.baseUrl, apiKey, provider, patience: 100 });
  expect(report.verdict).toBe('incomplete');
  expect(report.results.filter(({ outcome }) => ['fail', 'error'].includes(outcome))).toEqual([]);
  const sharing = report.reasons.filter((reason) =>
    /LIST-2, .*expected status 201, got 503/.test(reason),
  );
  expect(sharing).toHaveLength(1);
});

function target(baseUrl: string): Target {
  return { baseUrl, apiKey, send: fetch, timeout: 2_000 };
}

function answer(status: number, body: unknown): RequestListener {
  return (_, response) => response.writeHead(status).end(JSON.stringify(body));
}
