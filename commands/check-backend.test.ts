import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../tools/command-line.test-support.ts';

const apiKey = 'a-backend-key';

/** A backend as somebody would write it in an hour, with three rules broken. */
function createBackend(): Hono {
  const streams = new Map<string, { record: boolean }>();
  const app = new Hono();
  app.use(async (c, next) =>
    c.req.header('authorization') === `Bearer ${apiKey}` ? next() : c.text('key', 401),
  );
  app.post('/api/stream', async (c) => {
    // Broken: a stream needs a name.
    const { name = 'Untitled', profiles } = await c.req.json();
    const isLadder = Array.isArray(profiles) && profiles.every((one) => one instanceof Object);
    if (typeof name !== 'string' || !(profiles === undefined || isLadder)) return c.text('no', 422);
    const id = crypto.randomUUID();
    const streamKey = id.slice(4, 23).replace(/^./, 'a');
    // Broken: milliseconds are asked for.
    const createdAt = Math.floor(Date.now() / 1000);
    const playbackId = crypto.randomUUID();
    const stream = { id, name, profiles, record: false, createdAt, streamKey, playbackId };
    streams.set(id, stream);
    return c.json(stream, 201);
  });
  app.use('/api/stream/:id/*', (c, next) =>
    streams.has(c.req.param('id')) ? next() : Promise.resolve(c.text('no such stream', 404)),
  );
  app.get('/api/stream/:id', (c) => c.json(streams.get(c.req.param('id'))));
  app.patch('/api/stream/:id/record', async (c) => {
    const { record } = await c.req.json();
    const stream = streams.get(c.req.param('id'));
    if (typeof record !== 'boolean' || stream === undefined) return c.text('record', 422);
    stream.record = record;
    // Broken: 204 and no body are asked for.
    return c.json(stream);
  });
  app.get('/api/stream/:id/sessions', (c) => c.json([]));
  app.onError((_, c) => c.text('unreadable', 400));
  return app;
}

test('the report of a backend with three broken rules has those three, in under 60 lines', async () => {
  const server = serve({ fetch: createBackend().fetch, port: 0, hostname: '127.0.0.1' });
  onTestFinished(() => void server.close());
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status, stdout } = await runCommand(
    ...['check', '--base-url', `http://127.0.0.1:${port}/api`, '--api-key', apiKey],
  );
  expect(status).toBe(1);
  expect(stdout.match(/^✗ .*/gm)).toEqual([
    expect.stringContaining('createdAt: expected a Unix timestamp in milliseconds'),
    expect.stringContaining('expected a body without name'),
    expect.stringContaining('PATCH /stream/{id}/record: expected status 204 and no body, got 200'),
  ]);
  expect(stdout).toMatch(/got \d{10} \(seconds,\s+expected\s+milliseconds\)/);
  expect(stdout.split('\n').length).toBeLessThan(60);
});
