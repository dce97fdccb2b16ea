import { expect, test } from 'vitest';
import { readErrors, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { replaceBy, update } from './contract-samples.ts';
import { memoryStore } from './memory-store.test-support.ts';
import type { Store } from './store.ts';

test('a kept world can be opened with any dialect, because the store has only facts', async () => {
  const store = memoryStore();
  const first = await createMock({ store }).world();
  await first.createStream({ name: 'kept' });
  const dialect = { dialect: 3, behaviours: { 'time.ready': 0 } } as const;
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

/** The second response to a client whose world a store keeps. */
async function secondResponse(store: Partial<Store>, path = '/api/stream'): Promise<Response> {
  const mock = createMock({ store: { ...memoryStore(), ...store } });
  await mock.fetch(testRequest('GET /api/stream'));
  return mock.fetch(testRequest(`GET ${path}`));
}

const fail = async () => Promise.reject(new Error(`disk \u001b[31mbusy ${'x'.repeat(1_000)}`));

test.each([
  ['opened', { open: fail }, '/api/stream', 'read the world'],
  ['held', { hold: fail }, '/api/stream', 'read the world'],
  [
    'listed',
    { names: fail },
    '/recordings/00000000-0000-4000-8000-000000000000/index.m3u8',
    'list the worlds',
  ],
] as const)(
  'a store whose worlds cannot be %s gives 503 and its reason, without control characters',
  async (_, store, path, task) => {
    const response = await secondResponse(store, path);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    const [error = ''] = await readErrors(response);
    expect(error).toMatch(
      /^store: could not .+ \("disk \\u001b\[31mbusy x{200,300}…"\); send the request again$/,
    );
    expect(error).toContain(`could not ${task} (`);
  },
);

const { state } = replaceBy(2);
const [first, second] = state.streams;

test.each([
  ['nothing', undefined, 'an array as the changes of W, got nothing'],
  ['no object', [null], 'an object as change 1 of W, got null'],
  ['an update first', [update({})], 'an object as state in change 1 of W, got nothing'],
  ['no time', [{ state }], 'a number as at in change 1 of W, got nothing'],
  [
    'a state without random numbers',
    [{ at: 1, state: { ...state, random: undefined } }],
    'an array as state.random in change 1 of W, got nothing',
  ],
  [
    'a record without its name',
    [{ at: 1, state: { ...state, streams: [first, { ...second, name: 7 }] } }],
    'a string as state.streams[1].name in change 1 of W, got 7',
  ],
  [
    'a record of null',
    [replaceBy(1), { at: 1, sessions: [null] }],
    'an object as sessions[0] in change 2 of W, got null',
  ],
  [
    'an update that deletes a text',
    [replaceBy(1), { at: 1 }, { at: 2, deleted: 'all' }],
    'an array as deleted in change 3 of W, got "all"',
  ],
])(
  'a store that returns %s gives 503, which names the world and the change',
  async (_, changes, reason) => {
    const response = await secondResponse({
      open: async () => JSON.parse(JSON.stringify({ changes })).changes,
    });
    expect(response.status).toBe(503);
    expect(await readErrors(response)).toEqual([
      `store: expected ${reason.replace('W', 'world "test-s3cret"')}; restore what the store has of this world, or remove it to start afresh`,
    ]);
  },
);
