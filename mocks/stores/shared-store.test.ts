import { expect, test } from 'vitest';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import type { Change } from '../state/change.ts';
import { heldElsewhere, type Store } from './store.ts';

/** What two processes share: the changes of a world, and which process has it. */
interface Shared {
  owner: string;
  changes: readonly Change[];
}

/** The store of a process. */
function storeOf(shared: Shared, process: string): Store {
  const check = (): void => {
    if (shared.owner !== process) throw heldElsewhere(3);
  };
  return {
    async open() {
      check();
      return shared.changes;
    },
    async append(_, changes) {
      check();
      shared.changes = [...shared.changes, ...changes];
    },
    names: async () => [testKey],
    hold: () => shared.owner === process,
  };
}

/** The mock of the first process, which has all worlds until they are given to the second. */
function twoProcesses() {
  const shared: Shared = { owner: 'first', changes: [] };
  const first = createMock({ world: 'demo', maxRecords: 30, store: storeOf(shared, 'first') });
  return { shared, first };
}

test('a world that another process has taken frees its room, and its handle changes nothing', async () => {
  const { shared, first } = twoProcesses();
  const stale = await first.world(testKey);
  // There is room for one more.
  for (let count = 0; count < 2; count++) {
    shared.owner = 'second';
    expect((await first.fetch(testRequest('GET /api/stream'))).status).toBe(503);
    expect(await first.worlds()).toEqual([]);
    shared.owner = 'first';
    expect((await first.fetch(testRequest('GET /api/stream'))).status).toBe(200);
  }
  await expect(stale.createStream({ name: 'stale' })).rejects.toThrow('another process');
  await expect(stale.reset()).rejects.toThrow('another process');
});

test('changes in progress are refused, and none of them is kept later', async () => {
  const { shared, first } = twoProcesses();
  const world = await first.world(testKey);
  const kept = shared.changes;
  shared.owner = 'second';
  const changes = ['a', 'b', 'c'].map((name) => world.createStream({ name }));
  const results = await Promise.allSettled(changes);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  shared.owner = 'first';
  await first.world(testKey);
  expect(shared.changes).toEqual(kept);
});

test('the events of a world that was taken end', async () => {
  const { shared, first } = twoProcesses();
  const { body } = await first.fetch(testRequest('GET /_mock/events'));
  shared.owner = 'second';
  await first.fetch(testRequest('GET /api/stream'));
  expect(await new Response(body).text()).toBe('');
});

test('a request without a key does not take a world from another process', async () => {
  const { shared } = twoProcesses();
  const opened: string[] = [];
  const store = storeOf(shared, 'first');
  const open = (name: string) => {
    opened.push(name);
    return store.open(name);
  };
  const mock = createMock({ store: { ...store, open } });
  const media = '/recordings/00000000-0000-4000-8000-000000000000/index.m3u8';
  const send = (path: string) => mock.fetch(testRequest(`GET ${path}`, { authorization: null }));
  expect((await send('/api/stream')).status).toBe(401);
  expect((await send(media)).status).toBe(404);
  expect(opened).toEqual([]);
});

test('the media of a world that was taken is refused, like the world', async () => {
  const { shared, first } = twoProcesses();
  const sessions = (await first.world(testKey)).sessions();
  const recording = sessions.find(({ recordingUrl }) => recordingUrl !== undefined);
  const { pathname } = new URL(recording?.recordingUrl ?? '');
  const play = () => first.fetch(testRequest(`GET ${pathname}`, { authorization: null }));
  expect((await play()).status).toBe(200);
  shared.owner = 'second';
  expect((await play()).status).toBe(503);
});
