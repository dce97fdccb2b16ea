import { expect, onTestFinished, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { testRequest } from '../http/request.test-support.ts';
import { testerHeader } from '../messages/tester-request.ts';
import { createMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { maxWorlds } from '../state/limits.ts';
import { fileStore } from './file.ts';
import { memoryStore } from './memory-store.test-support.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A mock whose time the test moves. */
function timedMock(options: MockOptions = {}) {
  const clock = { time: Date.UTC(2026, 0, 1) };
  const mock = createMock({ now: () => clock.time, ...options });
  const asTester = (line: string, key: string, body?: string) =>
    mock.fetch(
      testRequest(line, {
        authorization: `Bearer ${key}`,
        headers: { [testerHeader]: '1' },
        ...(body !== undefined && { body }),
      }),
    );
  return {
    mock,
    clock,
    asTester,
    /** Creates a stream without a trace in the journal. */
    create: (key: string, name: string) =>
      asTester('POST /api/stream', key, JSON.stringify({ name })),
    /** The names of the streams of a key, newest first. */
    async names(key: string): Promise<string[]> {
      const streams = (await (await asTester('GET /api/stream', key)).json()) as { name: string }[];
      return streams.map(({ name }) => name);
    },
    /** Sends a request as a client does, so that the journal has it. */
    asClient: (key: string) =>
      mock.fetch(testRequest('GET /api/stream', { authorization: `Bearer ${key}` })),
  };
}

/** How many worlds a mock has in memory. */
async function countWorlds(mock: Mock): Promise<number> {
  const response = await mock.fetch(testRequest('GET /_mock/health', { authorization: null }));
  const { worlds } = (await response.json()) as { worlds: { count: number } };
  return worlds.count;
}

test('a kept world that is idle for an hour leaves memory, and comes back with its next request', async () => {
  const { mock, clock, create, names } = timedMock({ store: memoryStore() });
  await create('test-idle', 'Harbour');
  clock.time += hour - 1;
  await create('test-busy', 'Quay');
  expect(await countWorlds(mock)).toBe(2);
  clock.time += sweepTime;
  await names('test-new');
  expect(await countWorlds(mock)).toBe(2);
  expect(await names('test-idle')).toEqual(['Harbour']);
});

/** What is enough for the next look for idle worlds. */
const sweepTime = 60_000;

test('a world that left memory frees its records, also with a file', async () => {
  const store = await fileStore(temporaryFile('worlds.jsonl'));
  onTestFinished(() => store.close());
  const { clock, create, names } = timedMock({ store, maxRecords: 1 });
  expect((await create('test-idle', 'Harbour')).status).toBe(201);
  clock.time += hour;
  expect((await create('test-new', 'Quay')).status).toBe(201);
  clock.time += hour;
  expect(await names('test-idle')).toEqual(['Harbour']);
  clock.time += hour;
  expect(await names('test-new')).toEqual(['Quay']);
});

test.each<[string, (parts: ReturnType<typeof timedMock>) => Promise<unknown>]>([
  ['has a journal', ({ asClient }) => asClient('test-idle')],
  ['has a snapshot', ({ asTester }) => asTester('PUT /_mock/snapshots/one', 'test-idle')],
  [
    'has a fault',
    ({ asTester }) =>
      asTester('POST /_mock/faults', 'test-idle', '{"effect": "status", "status": 500}'),
  ],
  ['is watched', ({ asTester }) => asTester('GET /_mock/events', 'test-idle')],
  ['has a handle in code', ({ mock }) => mock.world('test-idle')],
])('a kept world stays in memory if it %s', async (_, arrange) => {
  const parts = timedMock({ store: memoryStore() });
  await parts.create('test-idle', 'Harbour');
  await arrange(parts);
  parts.clock.time += hour;
  await parts.names('test-new');
  expect(await countWorlds(parts.mock)).toBe(2);
});

test('a world whose last change was not kept stays in memory', async () => {
  const store = memoryStore();
  let isFull = false;
  const append: typeof store.append = async (...change) => {
    if (isFull) throw new Error('the disk is full');
    return store.append(...change);
  };
  const { clock, create, names } = timedMock({ store: { ...store, append } });
  await create('test-idle', 'Harbour');
  isFull = true;
  expect((await create('test-idle', 'Quay')).status).toBe(507);
  isFull = false;
  clock.time += hour;
  await names('test-new');
  expect(await names('test-idle')).toEqual(['Quay', 'Harbour']);
});

/** Opens as many worlds as a mock has places for. */
async function fill({ asClient }: ReturnType<typeof timedMock>): Promise<void> {
  for (let count = 0; count < maxWorlds; count++) await asClient(`test-${count}`);
}

test('without a store, the world that was idle longest, of which nothing was changed, makes room', async () => {
  const parts = timedMock();
  const { clock, asClient, create } = parts;
  await create('test-0', 'changed');
  clock.time += 1;
  await fill(parts);
  expect((await asClient('test-too-early')).status).toBe(429);
  clock.time += hour;
  await asClient('test-1');
  expect((await asClient('test-new')).status).toBe(200);
  expect(await countWorlds(parts.mock)).toBe(maxWorlds);
  expect(await parts.names('test-0')).toEqual(['changed']);
});

test('with a store, an idle world of which only the journal is not kept makes room', async () => {
  const parts = timedMock({ store: memoryStore() });
  await parts.create('test-0', 'kept');
  await fill(parts);
  expect((await parts.asClient('test-too-early')).status).toBe(429);
  parts.clock.time += hour;
  expect((await parts.asClient('test-new')).status).toBe(200);
  expect(await parts.names('test-0')).toEqual(['kept']);
});

test('a request without a key takes no place from those with one', async () => {
  const store = memoryStore();
  const before = timedMock({ store });
  await fill(before);
  const { mock, asClient } = timedMock({ store });
  const media = '/recordings/00000000-0000-4000-8000-000000000000/index.m3u8';
  const unknown = await mock.fetch(testRequest(`GET ${media}`, { authorization: null }));
  expect(unknown.status).toBe(404);
  expect((await asClient('test-new')).status).toBe(200);
  expect((await asClient('test-newer')).status).toBe(200);
});

test('a request without a key takes no room for records', async () => {
  const store = memoryStore();
  const before = timedMock({ store });
  await before.create('test-a', 'Harbour');
  await before.create('test-b', 'Quay');
  const { mock, create, names } = timedMock({ store, maxRecords: 2 });
  const media = '/recordings/00000000-0000-4000-8000-000000000000/index.m3u8';
  await mock.fetch(testRequest(`GET ${media}`, { authorization: null }));
  expect((await create('test-new', 'new')).status).toBe(201);
  expect(await names('test-b')).toEqual(['Quay']);
});

test.each(['memory', 'a store', 'a file'])('a world can end, in %s', async (place) => {
  const stores = {
    memory: async () => undefined,
    'a store': async () => memoryStore(),
    async 'a file'() {
      const opened = await fileStore(temporaryFile('worlds.jsonl'));
      onTestFinished(() => opened.close());
      return opened;
    },
  } as const;
  const store = await stores[place as keyof typeof stores]();
  const { mock, asTester, create, names } = timedMock(store && { store });
  await create('test-ended', 'Harbour');
  await create('test-other', 'Quay');
  expect((await asTester('DELETE /_mock/world', 'test-ended')).status).toBe(204);
  expect(await countWorlds(mock)).toBe(1);
  expect(await store?.names()).toEqual(store && ['test-other']);
  expect(await names('test-ended')).toEqual([]);
  expect(await names('test-other')).toEqual(['Quay']);
});

test('a world that has ended is no longer in the file after a restart', async () => {
  const path = temporaryFile('worlds.jsonl');
  const store = await fileStore(path);
  const { asTester, create } = timedMock({ store });
  await create('test-ended', 'Harbour');
  await create('test-other', 'Quay');
  await asTester('DELETE /_mock/world', 'test-ended');
  await store.close();
  const again = await fileStore(path);
  expect(await again.names()).toEqual(['test-other']);
  await again.close();
});

test('whoever watches a world or holds a handle of it learns that it has ended', async () => {
  const { mock, asTester } = timedMock();
  const handle = await mock.world('test-ended');
  const { body } = await asTester('GET /_mock/events', 'test-ended');
  await asTester('DELETE /_mock/world', 'test-ended');
  expect(await new Response(body).text()).toBe('');
  await expect(handle.createStream({ name: 'late' })).rejects.toThrow('has ended');
});

test('a world cannot end if its store cannot forget it', async () => {
  const { delete: _, ...store } = memoryStore();
  const { asTester, create, names } = timedMock({ store });
  await create('test-a', 'Harbour');
  const refused = await asTester('DELETE /_mock/world', 'test-a');
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('expected a store that can forget worlds');
  expect(await names('test-a')).toEqual(['Harbour']);
});

test('with idle, a world that nobody uses for that long ends, in memory and in the store', async () => {
  const store = memoryStore();
  const { mock, clock, asClient, create, names } = timedMock({ store, idle: '7d' });
  await create('test-idle', 'Harbour');
  await asClient('test-idle');
  clock.time += 7 * day - 1;
  await names('test-new');
  expect(store.kept.has('test-idle')).toBe(true);
  clock.time += sweepTime;
  await names('test-newer');
  await expect.poll(() => [...store.kept.keys()]).toEqual(['test-new', 'test-newer']);
  expect(await countWorlds(mock)).toBe(2);
  expect(await names('test-idle')).toEqual([]);
});

test('with idle, a world that is only read stays, also across restarts', async () => {
  const store = memoryStore();
  const { clock, create, names } = timedMock({ store, idle: '7d' });
  await create('test-read', 'Harbour');
  for (let count = 0; count < 7; count++) {
    clock.time += day;
    await names('test-read');
  }
  const restarted = timedMock({ store, idle: '7d' });
  restarted.clock.time = clock.time + 6 * day;
  await restarted.names('test-new');
  await restarted.names('test-newer');
  expect(await restarted.names('test-read')).toEqual(['Harbour']);
});

test('with idle, worlds that nobody has opened since a restart end, too', async () => {
  const path = temporaryFile('worlds.jsonl');
  const first = await fileStore(path);
  const { clock, create } = timedMock({ store: first });
  await create('test-idle', 'Harbour');
  await first.close();
  const store = await fileStore(path);
  onTestFinished(() => store.close());
  const restarted = timedMock({ store, idle: '7d' });
  restarted.clock.time = clock.time + 7 * day + 1;
  await restarted.names('test-new');
  await expect.poll(() => store.names()).toEqual(['test-new']);
});

test.each([
  ['59s', 'at least a minute'],
  ['soon', 'a number of milliseconds'],
])('idle %s is refused', (idle, expected) => {
  expect(() => createMock({ idle })).toThrow(`idle: expected ${expected}`);
});
