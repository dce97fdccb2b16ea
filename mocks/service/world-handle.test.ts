import { expect, test } from 'vitest';
import { serveMock } from '../../conformance/servers.test-support.ts';
import { Problem } from '../messages/problem.ts';
import { createMock } from '../mock.ts';

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
  async (origin) => {
    const served = await serveMock(origin ? { origin } : {});
    const world = await served.mock.world();
    const { id } = await world.createStream({ name: 'served', record: true });
    const { mp4URL = '' } = await world.start(id, { duration: 1 });
    expect(new URL(mp4URL).origin).toBe(origin ?? served.origin);
  },
);
