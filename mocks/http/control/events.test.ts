import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../adapters/node/node.ts';
import { createMock } from '../../mock.ts';
import type { MockOptions } from '../../mock-options.ts';
import { readErrors } from '../request.test-support.ts';

const headers = { authorization: 'Bearer test-demo' };

async function setUp(options: MockOptions = {}) {
  const mock = createMock(options);
  const server = await serve(mock);
  onTestFinished(() => server.close());
  /** A client that watches the world. `events` has the names of the events so far, in order. */
  const watch = async () => {
    const client = new AbortController();
    const leave = () => client.abort();
    onTestFinished(leave);
    const { signal } = client;
    const response = await fetch(`${server.controlUrl}/events`, { headers, signal });
    const events: string[] = [];
    if (response.status === 200) {
      void follow(response, events).catch(() => events.push('end'));
      await expect.poll(() => events).toEqual(['clock']);
      events.pop();
    }
    return { response, events, leave };
  };
  return { world: await mock.world(), baseUrl: server.baseUrl, watch };
}

async function follow({ body, headers: sent }: Response, events: string[]): Promise<void> {
  expect(sent.get('content-type')).toBe('text/event-stream; charset=utf-8');
  for await (const part of body ?? []) {
    const texts = new TextDecoder().decode(part).matchAll(/event: (\w+)\ndata: (.+)\n\n/g);
    for (const [, name = '', data = ''] of texts) {
      expect(JSON.parse(data)).toEqual({ now: expect.any(Number) });
      events.push(name);
    }
  }
}

test('watchers hear what is done to the world', async () => {
  const { world, baseUrl, watch } = await setUp();
  const { events } = await watch();
  const hears = async (...names: string[]) => {
    await expect.poll(() => events).toEqual(names);
    events.length = 0;
  };
  await world.createStream({ name: 'a' });
  await hears('state');
  world.clock.advance('1s');
  await hears('clock');
  await fetch(`${baseUrl}/stream`, { headers });
  await hears('exchange');
  world.addFault({ effect: 'reset', times: 1 });
  await hears('faults');
  world.saveSnapshot('before');
  await hears('snapshots');
  await world.reset();
  await hears('state', 'exchange', 'faults');
});

test('while the clock runs, a live world sends events, and a settled one does not', async () => {
  const { world, watch } = await setUp({ recordingDelay: 0, now: Date.now });
  const { id } = await world.createStream({ name: 'a' });
  const settled = await watch();
  const live = await watch();
  await world.start(id);
  await expect.poll(() => live.events.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
  await world.stop(id);
  world.clock.advance(0);
  await expect.poll(() => settled.events.at(-1)).toBe('clock');
  const heard = settled.events.length;
  const other = await watch();
  await world.createStream({ name: 'b' });
  await expect.poll(() => other.events).toEqual(['state']);
  expect(settled.events.length).toBeLessThanOrEqual(heard + 1);
});

test('a world has at most 50 watchers, and a new one can come when one has left', async () => {
  const { watch } = await setUp();
  const watching = await Promise.all(Array.from({ length: 50 }, watch));
  const { response } = await watch();
  expect(response.status).toBe(429);
  expect(await readErrors(response)).toEqual([
    'events: expected at most 50 clients that watch one world, got one more; close one first',
  ]);
  watching[0]?.leave();
  await expect.poll(async () => (await watch()).response.status).toBe(200);
});
