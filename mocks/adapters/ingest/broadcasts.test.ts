import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../mock.ts';
import type { MockOptions } from '../../mock-options.ts';
import type { World } from '../../service/testers/world-handle.ts';
import { memoryStore } from '../../stores/memory-store.test-support.ts';
import { createBroadcasts, maxBroadcasts } from './broadcasts.ts';

async function setUp(options: MockOptions = {}) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
  const mock = createMock(options);
  const broadcasts = createBroadcasts(mock);
  onTestFinished(async () => {
    await broadcasts.close();
    vi.useRealTimers();
  });
  const world = await mock.world();
  const { id: streamId, streamKey } = await world.createStream({ name: 'a', record: true });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  /** What a tester sees of what comes in. */
  const ingest = async (): Promise<unknown> =>
    (await mock.fetch(new Request('http://a/_mock/ingest', { headers }))).json();
  return { mock, world, broadcasts, streamId, streamKey, ingest };
}

const ignoreEnd = (): void => {};

test('a key is refused if no stream has it, or if streams of two worlds have it', async () => {
  const { mock, broadcasts, world, streamId, streamKey } = await setUp();
  const refusalOf = () =>
    broadcasts.goLive('rtmp', streamKey, ignoreEnd).catch((exception) => exception);
  const state = world.exportState();
  await world.deleteStream(streamId);
  const expected = 'stream key: expected the streamKey of exactly one stream that is not live';
  const refusalWith = (got: string) => ({
    status: 404,
    message: `${expected}, got one that ${got}`,
  });
  expect(await refusalOf()).toMatchObject(refusalWith('no stream has'));
  for (const key of ['test-a', 'test-b']) await (await mock.world(key)).importState(state);
  expect(await refusalOf()).toMatchObject(refusalWith('2 streams have'));
});

test('a live stream is refused, even to an encoder that connects at the same moment', async () => {
  const { broadcasts, world, streamId, streamKey } = await setUp();
  const going = [1, 2].map(() => broadcasts.goLive('rtmp', streamKey, ignoreEnd));
  const statuses = (await Promise.allSettled(going)).map(({ status }) => status);
  expect(statuses).toEqual(['fulfilled', 'rejected']);
  await expect(broadcasts.find(streamKey)).rejects.toMatchObject({ status: 409 });
  expect(world.sessions(streamId)).toHaveLength(1);
});

test.each([
  ['by the clock of its world', '10m', 600],
  ['in real time, if that clock stood still', 0, 4.8],
])('a session lasts as long as it was live %s', async (_, advance, seconds) => {
  const { world, broadcasts, streamKey } = await setUp();
  const broadcast = await broadcasts.goLive('rtmp', streamKey, ignoreEnd);
  vi.advanceTimersByTime(4800);
  if (advance !== 0) world.clock.advance(advance);
  await broadcast.end();
  expect(world.sessions()[0]?.sourceSegmentsDuration).toBe(seconds);
});

test('an encoder that sends nothing for five seconds is disconnected', async () => {
  const { world, broadcasts, streamKey } = await setUp({ now: Date.now });
  const disconnect = vi.fn();
  const broadcast = await broadcasts.goLive('rtmp', streamKey, disconnect);
  vi.advanceTimersByTime(4500);
  broadcast.receive(100, 0, {});
  vi.advanceTimersByTime(4500);
  expect(disconnect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1500);
  expect(disconnect).toHaveBeenCalledOnce();
  await expect.poll(() => world.streams()[0]?.isActive).toBe(false);
});

test.each([
  ['stops it', (world: World, id: string) => world.stop(id)],
  ['resets the world', (world: World) => world.reset()],
])('an encoder is disconnected when somebody else %s', async (_, endOtherwise) => {
  const { world, broadcasts, streamId, streamKey, ingest } = await setUp();
  const disconnect = vi.fn();
  const broadcast = await broadcasts.goLive('rtmp', streamKey, disconnect);
  await endOtherwise(world, streamId);
  expect(disconnect).toHaveBeenCalledOnce();
  const before = world.exportState();
  await broadcast.end();
  expect(world.exportState()).toEqual(before);
  expect(await ingest()).toEqual({ incoming: [] });
});

test('testers see what comes in, but no record has it', async () => {
  const { world, broadcasts, streamId, streamKey, ingest } = await setUp();
  const broadcast = await broadcasts.goLive('whip', streamKey, ignoreEnd);
  const facts = { videoCodec: 'VP8' };
  broadcast.receive(200, 0, facts);
  for (let second = 0; second < 8; second++) {
    broadcast.receive(250_000, 30, {});
    vi.advanceTimersByTime(1000);
  }
  expect(await ingest()).toEqual({
    incoming: [{ streamId, protocol: 'whip', ...facts, bitrate: 2_000_000, frameRate: 30 }],
  });
  expect(JSON.stringify(world.exportState({ journal: true }))).not.toContain('VP8');
  expect(JSON.stringify([world.streams(), world.sessions()])).not.toContain('VP8');
});

test(`of more than ${maxBroadcasts} encoders at once the last is refused`, async () => {
  const { world, broadcasts } = await setUp();
  const streams = await Promise.all(
    Array.from({ length: maxBroadcasts + 1 }, () => world.createStream({ name: 'many' })),
  );
  const going = streams.map(({ streamKey }) => broadcasts.goLive('rtmp', streamKey, ignoreEnd));
  const refused = (await Promise.allSettled(going)).filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { status: 429 } }]);
});

test('a key of a kept world that was not opened yet is found; if its session cannot be stored, the encoder is told', async () => {
  const store = memoryStore();
  const before = await createMock({ store }).world('test-kept');
  const { streamKey, id } = await before.createStream({ name: 'kept' });
  const { broadcasts } = await setUp({ store });
  expect((await broadcasts.find(streamKey)).stream.id).toBe(id);
  store.append = () => Promise.reject(new Error('the disk is full'));
  const disconnect = vi.fn();
  const broadcast = broadcasts.goLive('rtmp', streamKey, disconnect);
  await expect(broadcast).rejects.toMatchObject({ status: 507 });
  expect(disconnect).not.toHaveBeenCalled();
});
