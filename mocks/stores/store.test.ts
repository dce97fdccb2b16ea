import { expect, test } from 'vitest';
import { testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { memoryStore } from './memory-store.test-support.ts';
import type { Store } from './store.ts';

test('a kept world can be opened with any dialect, because the store has only facts', async () => {
  const store = memoryStore();
  const first = await createMock({ store }).world();
  await first.createStream({ name: 'kept' });
  const dialect = { dialect: 2, behaviours: { 'time.ready': 0 } } as const;
  const second = await createMock({ store, dialect }).world();
  expect(second.streams()).toEqual(first.streams());
  expect(store.kept.get('test-demo')).not.toContain('dialect');
});

test.each([
  { speed: 0, passed: 0 },
  { speed: 1, passed: 500 },
  { speed: 60, passed: 30_000 },
])(
  'a clock of speed $speed keeps it: half a second later it shows $passed ms more',
  async ({ speed, passed }) => {
    const store = memoryStore();
    let now = 1_000_000;
    const first = await createMock({ store, now: () => now }).world();
    first.clock.advance('1h');
    first.clock.run(speed);
    await first.createStream({ name: 'kept' });
    const shown = first.clock.now();
    now += 500;
    const second = await createMock({ store, now: () => now }).world();
    expect([second.clock.now(), second.clock.speed()]).toEqual([shown + passed, speed]);
  },
);

test('a world follows what another mock has kept, and starts afresh if that is removed', async () => {
  const store = memoryStore();
  const follower = await createMock({ store }).world();
  await (await createMock({ store }).world()).createStream({ name: 'kept' });
  store.tell();
  await expect.poll(() => follower.streams()).toMatchObject([{ name: 'kept' }]);
  store.kept.clear();
  store.tell();
  await expect.poll(() => follower.streams()).toEqual([]);
  expect(store.kept.size).toBe(0);
});

test('each of many simultaneous changes is kept before its response', async () => {
  const kept: string[] = [];
  const store: Store = {
    ...memoryStore(),
    async append(_, changes) {
      await Promise.resolve();
      kept.push(...changes.map((change) => JSON.stringify(change)));
    },
  };
  const world = await createMock({ store }).world();
  const names = Array.from({ length: 10 }, (_, index) => `stream ${index}`);
  const answered = names.map(async (name) => {
    await world.createStream({ name });
    return kept.some((text) => text.includes(`"${name}"`));
  });
  expect(await Promise.all(answered)).toEqual(names.map(() => true));
});

test('the later of two notices counts, and no change in the meantime is lost', async () => {
  const store = memoryStore();
  const follower = await createMock({ store }).world();
  const writer = await createMock({ store }).world();
  await writer.createStream({ name: 'first' });
  store.tell();
  await writer.createStream({ name: 'second' });
  store.tell();
  await expect.poll(() => follower.streams().map(({ name }) => name)).toEqual(['second', 'first']);
  store.tell();
  await follower.createStream({ name: 'own' });
  expect((await createMock({ store }).world()).streams()).toEqual(follower.streams());
});

test('a store that could not be read is asked again', async () => {
  const store = memoryStore();
  const { open } = store;
  store.open = () => Promise.reject(new Error('disk busy'));
  const mock = createMock({ world: 'demo', store });
  await expect(mock.world()).rejects.toThrow('disk busy');
  store.open = open;
  expect((await mock.world()).streams()).toHaveLength(6);
});

test('only the sender of a change learns that the store failed, and the change is kept with the next one', async () => {
  const store = memoryStore();
  const { append } = store;
  const mock = createMock({ store });
  const world = await mock.world();
  store.append = () => Promise.reject(new Error('disk full'));
  world.clock.advance('1s'); // nobody waits for this, and an unhandled rejection would fail the run
  const create = (name: string) =>
    mock.fetch(testRequest('POST /api/stream', { body: JSON.stringify({ name }) }));
  const answers = await Promise.all([create('first'), create('second')]);
  expect(answers.map(({ status }) => status)).toEqual([507, 507]);
  expect(await answers[0]?.text()).toContain('disk full');
  expect((await mock.fetch(testRequest('PUT /_mock/snapshots/a'))).status).toBe(204);
  store.append = append;
  await world.createStream({ name: 'third' });
  expect((await createMock({ store }).world()).exportState()).toEqual(world.exportState());
});
