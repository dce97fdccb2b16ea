import { expect, test } from 'vitest';
import { serveMock } from '../../../target/servers.test-support.ts';
import { collections } from '../../adapters/data/data.ts';
import { Problem } from '../../messages/problem.ts';
import { createMock } from '../../mock.ts';

test.each([
  [{ duration: 0 }, /^duration: expected a number of seconds, above 0/],
  [{ duration: -5 }, /^duration: expected a number of seconds, above 0/],
  [{ length: 5 }, /^body: expected an object, with or without the key duration, got "length"/],
])('start(%j) is refused as over HTTP', async (options, message) => {
  const world = await createMock().world();
  const { id } = await world.createStream({ name: 'careful' });
  await expect(world.start(id, options as { duration: number })).rejects.toThrow(message);
  expect(world.sessions()).toEqual([]);
});

test.each(['soon', -1, '400d', Number.NaN])(
  'the clock is not advanced by %j, as over HTTP',
  async (duration) => {
    const { clock } = await createMock().world();
    const before = clock.now();
    expect(() => clock.advance(duration)).toThrow(Problem);
    expect(() => clock.advance(duration)).toThrow(/^advance: expected a number of milliseconds, /);
    expect(clock.now()).toBe(before);
  },
);

test('setRecord accepts only true and false, and for a live stream only what it is', async () => {
  const world = await createMock().world();
  const { id } = await world.createStream({ name: 'live', record: true });
  const refused = world.setRecord(id, 'yes' as unknown as boolean);
  await expect(refused).rejects.toThrow('record: expected true or false, got "yes"');
  await expect(refused).rejects.toBeInstanceOf(Problem);
  await world.start(id);
  await world.setRecord(id, true);
  await expect(world.setRecord(id, false)).rejects.toThrow(/expected a stream that is not live/);
});

test.each([
  [() => 0, 0],
  [() => 1_700_000_000_000.4, 1_700_000_000_000],
  [() => 9e15, Date.UTC(9999, 11, 31)],
])('a world stays consistent, whatever its time source returns', async (now, expected) => {
  const world = await createMock({ world: 'demo', now }).world();
  expect(world.clock.now()).toBe(expected);
  await world.createStream({ name: 'any time' });
  await world.importState(world.exportState());
  expect(world.streams()).toHaveLength(7);
});

test.each([undefined, 'https://tunnel.test'])(
  'the addresses of a mock that is served have the origin that was given, or its own: %s',
  async (mediaOrigin) => {
    const served = await serveMock(mediaOrigin ? { mediaOrigin } : {});
    const world = await served.mock.world();
    const { id } = await world.createStream({ name: 'served', record: true });
    const { mp4URL = '' } = await world.start(id, { duration: 1 });
    expect(new URL(mp4URL).origin).toBe(mediaOrigin ?? served.origin);
  },
);

test('a session with a duration ends now, and began that long ago', async () => {
  const world = await createMock().world();
  const { id } = await world.createStream({ name: 'an hour long' });
  world.clock.advance('2h');
  const { createdAt, sourceSegmentsDuration } = await world.start(id, { duration: 3600 });
  expect(createdAt).toBe(world.clock.now() - 3_600_000);
  expect(sourceSegmentsDuration).toBe(3600);
});

test('a session with a duration begins no earlier than its stream, nor than the session before it ends', async () => {
  const world = await createMock().world();
  const stream = await world.createStream({ name: 'young' });
  world.clock.advance('1m');
  const first = await world.start(stream.id, { duration: 3600 });
  const firstEnd = world.clock.now();
  world.clock.advance('1m');
  const second = await world.start(stream.id, { duration: 3600 });
  expect(first.createdAt).toBe(stream.createdAt);
  expect(second.createdAt).toBe(firstEnd);
  expect([first, second].map((session) => session.sourceSegmentsDuration)).toEqual([3600, 3600]);
});

test('a past session that is added later has its place by time in the lists of sessions', async () => {
  const world = await createMock().world();
  const { streams, sessions } = await collections(world);
  const { id: parentId } = await streams.create({ name: 'archive' });
  world.clock.advance('1h');
  const recent = await world.start(parentId, { duration: 60 });
  const endedAt = world.clock.now() - 1_800_000;
  const past = await sessions.create({ parentId, duration: 60, endedAt });
  const expected = [recent.id, past.id];
  expect(world.sessions().map(({ id }) => id)).toEqual(expected);
  expect(world.sessions(parentId).map(({ id }) => id)).toEqual(expected);
});
