import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  bomb,
  serveHttp,
  serveRaw,
  type TestServer,
  writeForever,
} from '../../conformance/servers.test-support.ts';
import { mockToLearn, observeOnly, withOther } from './learn.test-support.ts';
import { learn } from './learn.ts';

const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);

function always(status: number, body: string): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
}

const targets: readonly { does: string; serve: () => Promise<TestServer> }[] = [
  { does: 'hangs', serve: () => serveRaw(() => {}) },
  { does: 'hangs after its headers', serve: () => serveHttp((_, out) => out.flushHeaders()) },
  {
    does: 'sends without end',
    serve: () => serveHttp((_, out) => writeForever(out, 'a'.repeat(100_000))),
  },
  {
    does: 'sends compressed bombs',
    serve: () => serveHttp((_, out) => out.setHeader('content-encoding', 'gzip').end(bomb)),
  },
  {
    does: 'redirects in a circle',
    serve: () => serveHttp(({ url }, out) => out.writeHead(302, { location: url }).end()),
  },
  { does: 'answers 200 with HTML', serve: () => serveHttp(always(200, '<!doctype html><p>Hi')) },
  { does: 'answers 200 with an empty object', serve: () => serveHttp(always(200, '{}')) },
  { does: 'answers 201 with arrays too deep', serve: () => serveHttp(always(201, deep)) },
  { does: 'answers 500', serve: () => serveHttp(always(500, '{"errors":["x"]}')) },
  { does: 'answers 404 without a body', serve: () => serveHttp(always(404, '')) },
  {
    does: 'creates streams whose ids are half a character',
    serve: () => serveHttp(always(201, '{"id":"\\ud800"}')),
  },
  {
    does: 'creates streams whose ids are paths',
    serve: () => serveHttp(always(201, '{"id":"../../admin?x=1"}')),
  },
];

describe('learning ends, and learns no behaviour of streams and sessions, if a target', () => {
  test.each(targets)('$does', async ({ serve }) => {
    const { origin } = await serve();
    const { observed } = await learn({
      baseUrl: `${origin}/api`,
      apiKey: 'a-secret-key',
      provider: { controlUrl: `${origin}/control` },
      timeout: 100,
      patience: 200,
    });
    for (const id of ['list.order', 'sessions.appear', 'session.further-keys', 'time.ready']) {
      expect(observed.get(`behaviours.${id}`)?.outcome).not.toBe('observed');
    }
  });
});

test('a target whose responses are not read is asked for one stream, and the reason is told', async () => {
  const { origin, received } = await serveHttp((_, response) =>
    response.writeHead(201, { 'content-encoding': 'br' }).end('x'),
  );
  const { unreachable } = await learn({ baseUrl: `${origin}/api`, apiKey: 'a-secret-key' });
  expect(unreachable).toMatch(
    /no stream could be created \(POST .* its content-encoding br is not read/,
  );
  expect(received.length).toBeLessThan(5);
});

test.each([{ id: { toString: 1 } }, { parentId: { toString: 1 } }, { parentId: '\ud800' }])(
  'learning ends if sessions show %j',
  async (shown) => {
    const options = withOther(mockToLearn(), async (request, answer) => {
      const response = await answer();
      if (!request.url.endsWith('/sessions?record=1') || response.status !== 200) return response;
      const sessions: object[] = await response.json();
      return Response.json(sessions.map((session) => ({ ...session, ...shown })));
    });
    const rows = ['list.order', 'sessions.appear', 'time.ready'].map((row) => `behaviours.${row}`);
    const observed = await observeOnly(options, 'refusals.listStreams.key:none', ...rows);
    expect(observed.get('refusals.listStreams.key:none')?.outcome).toBe('observed');
    expect(observed.size).toBe(4);
  },
);
