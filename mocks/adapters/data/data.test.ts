import { Query } from '@msw/data';
import { expect, test } from 'vitest';
import { arrange, arrangeThree, namesOf } from './data.test-support.ts';

test('a collection returns what the interface responds with', async () => {
  const { streams, sessions, ask } = await arrange({ world: 'demo' });
  expect(streams.all().toReversed()).toEqual(await ask('/stream'));
  expect(sessions.all().toReversed()).toEqual(await ask('/session'));
  expect(streams.count()).toBe(streams.all().length);
});

test('a stream leads to its sessions, and a session to its stream, as they are at that moment', async () => {
  const { streams, sessions, world } = await arrange();
  const stream = await streams.create({ name: 'Harbour camera', record: true });
  expect(stream.sessions).toEqual([]);
  await sessions.create({ parentId: stream.id, duration: 60 });
  await world.start(stream.id);
  expect(stream.sessions).toEqual(sessions.all());
  expect(sessions.findFirst()?.stream.sessions[1]?.stream).toEqual(streams.findFirst());
  // So following all relations, as a failed comparison does, comes to an end.
  expect(stream.sessions[0]?.stream).toBe(stream);
  expect({ ...stream }).not.toHaveProperty('sessions');
  expect(streams.findMany((q) => q.where(({ sessions }) => sessions.length === 2))).toHaveLength(1);
  expect(sessions.findMany((q) => q.where({ stream: { name: 'Harbour camera' } }))).toHaveLength(2);
});

test('queries of @msw/data find records', async () => {
  const { streams } = await arrangeThree();
  expect(streams.findFirst()?.name).toBe('a');
  expect(streams.findFirst((q) => q.where({ name: 'b' }))?.record).toBe(true);
  expect(streams.findFirst((q) => q.where({ name: 'z' }))).toBeUndefined();
  expect(namesOf(streams.findMany((q) => q.where({ name: 'c' }).or({ record: true })))).toBe('bc');
  expect(namesOf(streams.findMany(new Query(({ name }) => name > 'a')))).toBe('bc');
  const strictly = () => streams.findFirst((q) => q.where({ name: 'z' }), { strict: true });
  expect(strictly).toThrow('query: expected a match, got none');
});

test('a record is a copy: changing it does not change the world', async () => {
  const { streams, ask } = await arrange();
  const profile = { name: '720p', bitrate: 2e6, fps: 30, width: 1280, height: 720 };
  const stream = await streams.create({ name: 'a', profiles: [profile] });
  profile.fps = 1;
  stream.name = 'changed';
  for (const copied of stream.profiles) copied.fps = 2;
  expect(await ask('/stream')).toMatchObject([{ name: 'a', profiles: [{ fps: 30 }] }]);
});

test('a collection shows a reset or an import that came after it was made', async () => {
  const { streams, world } = await arrange({ world: 'demo' });
  const saved = world.exportState();
  await world.reset();
  expect(streams.count()).toBe(6);
  await streams.deleteMany((q) => q.where({ isActive: false }));
  await world.importState(saved);
  expect(streams.all().toReversed()).toEqual(world.streams());
});
