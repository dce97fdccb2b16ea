import { expect, test } from 'vitest';
import type { NewStream } from '../../interface/types.ts';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';

test('the same seed and key give the same world, and others give other ids', async () => {
  const build = async (seed: number, key: string) => {
    const world = await createMock({ world: 'demo', seed }).world(key);
    await world.createStream({ name: 'one more' });
    return world.exportState();
  };
  const state = await build(7, 'test-a');
  expect(await build(7, 'test-a')).toEqual(state);
  const text = JSON.stringify(state);
  for (const other of [await build(7, 'test-b'), await build(8, 'test-a')]) {
    const ids = other.streams.flatMap((one) => [one.id, one.streamKey, one.playbackId]);
    expect(ids.filter((id) => text.includes(id))).toEqual([]);
  }
});

test('a mock lists the worlds that were opened, and does not wait for one that is being opened', async () => {
  const mock = createMock({ world: 'crowded', streams: 2_000 });
  const made = mock.world('test-other');
  expect(await mock.worlds()).toEqual([]);
  await made;
  await mock.fetch(testRequest('GET /api/stream'));
  expect((await mock.worlds()).map(({ apiKey }) => apiKey)).toEqual(['test-other', testKey]);
});

test('a clock can be set, paused and sped up, and a reset puts it back', async () => {
  let now = Date.UTC(2026, 5, 1);
  const world = await createMock({ now: () => now }).world();
  const { clock } = world;
  expect(() => clock.set('1969-12-31T23:59:59Z')).toThrow(/got "1969/);
  clock.set('2027-01-15T12:00:00+01:00');
  expect(clock.now()).toBe(Date.UTC(2027, 0, 15, 11));
  clock.pause();
  now += 1_000;
  expect(clock.now()).toBe(Date.UTC(2027, 0, 15, 11));
  clock.run(60);
  now += 1_000;
  expect(clock.now()).toBe(Date.UTC(2027, 0, 15, 11, 1));
  clock.run();
  now += 1_000;
  expect(clock.now()).toBe(Date.UTC(2027, 0, 15, 11, 1, 1));
  clock.pause();
  await world.reset();
  expect([clock.now(), clock.speed()]).toEqual([now, 1]);
});

test('the control API lists when recording was switched and when the clock was moved', async () => {
  const mock = createMock();
  const world = await mock.world(testKey);
  const start = world.clock.now();
  const moments = async () => (await mock.fetch(testRequest('GET /_mock/moments'))).json();
  const { id: streamId } = await world.createStream({ name: 'Harbour camera' });
  world.clock.advance('10m');
  await world.setRecord(streamId, true);
  await world.setRecord(streamId, true);
  expect(await moments()).toEqual([
    { kind: 'clock', at: start, to: start + 600_000 },
    { kind: 'recording', at: start + 600_000, streamId, record: true },
  ]);
  await mock.fetch(testRequest('POST /_mock/clock', { body: '{"speed":60}' }));
  expect(await moments()).toHaveLength(2);
  await world.reset();
  expect(await moments()).toEqual([]);
});

test('what is due while the clock is advanced happens in order', async () => {
  const mock = createMock();
  const world = await mock.world(testKey);
  world.addFault({ effect: 'delay', delay: '2s', operation: 'listStreams' });
  world.addFault({ effect: 'delay', delay: '1s', operation: 'createStream' });
  const list = mock.fetch(testRequest('GET /api/stream'));
  const created = mock.fetch(testRequest('POST /api/stream', { body: '{"name":"first"}' }));
  await expect.poll(() => world.faults.map(({ matched }) => matched)).toEqual([1, 1]);
  world.clock.advance('1h');
  expect((await created).status).toBe(201);
  expect(await (await list).json()).toMatchObject([{ name: 'first' }]);
});

test('after a reset the clock follows its source, which has advanced in the meantime', async () => {
  let now = Date.UTC(2026, 5, 1);
  const world = await createMock({ world: 'demo', now: () => now }).world();
  world.clock.advance('1d');
  const reset = world.reset();
  for (let step = 0; step < 5; step++) await Promise.resolve();
  now += 1_500;
  await reset;
  expect(world.clock.now()).toBe(now);
});

test('a key that is not accepted opens no world', async () => {
  await expect(createMock({ apiKeys: ['key-one'] }).world('key-two')).rejects.toThrow(TypeError);
  await expect(createMock().world('two')).rejects.toThrow(/a key of the form test-…/);
});

test('a session that is live for years counts as 31 days', async () => {
  const world = await createMock().world();
  const { id } = await world.createStream({ name: 'forgotten' });
  await world.start(id);
  for (let year = 0; year < 5; year++) world.clock.advance('366d');
  const month = 31 * 24 * 3600;
  expect(world.sessions()[0]?.sourceSegmentsDuration).toBeCloseTo(month, -1);
  expect(await world.stop(id)).toMatchObject({ sourceSegmentsDuration: month });
});

test('a world copies what it is given and what it returns', async () => {
  const one = await createMock().world('test-one');
  const other = await createMock().world('test-two');
  const profiles = [{ name: 'one', bitrate: 1_000_000, fps: 30, width: 854, height: 480 }];
  const playbackPolicy = { type: 'public' };
  const { id } = await one.createStream({ name: 'given', profiles, playbackPolicy } as NewStream);
  await one.start(id, { duration: 4 });
  const state = one.exportState();
  await one.importState(state);
  await other.importState(state);
  const before = JSON.stringify([one.exportState(), other.exportState()]);
  for (const held of [{ profiles }, ...one.streams(), ...state.streams, ...state.sessions]) {
    for (const profile of held.profiles) Object.assign(profile, { name: 'changed' });
    if ('playbackPolicy' in held) Object.assign(Object(held.playbackPolicy), { type: 'jwt' });
  }
  expect(JSON.stringify([one.exportState(), other.exportState()])).toBe(before);
});
