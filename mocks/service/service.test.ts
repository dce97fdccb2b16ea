import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import type { World } from './world-handle.ts';

function openWorld(options: MockOptions = {}): Promise<World> {
  return createMock(options).world();
}

test('a created stream echoes name and profiles and has what the service adds', async () => {
  const world = await openWorld();
  const profiles = [...recommendedProfiles];
  const stream = await world.createStream({ name: 'Hafen – 港 🚢', profiles });
  expect(stream).toMatchObject({ name: 'Hafen – 港 🚢', profiles, record: false, isActive: false });
  expect(stream.id).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(stream.streamKey).toMatch(/^[0-9a-f]{4}(-[0-9a-z]{4}){3}$/);
  expect(stream.playbackId).toMatch(/^[0-9a-f]{4}[0-9a-z]{12}$/);
  expect(stream.createdAt).toBe(world.clock.now());
});

test('without profiles nothing is transcoded', async () => {
  const world = await openWorld();
  const { id } = await world.createStream({ name: 'plain', record: true });
  const session = await world.start(id, { duration: 60 });
  expect(session).toMatchObject({ profiles: [], transcodedSegments: 0, transcodedBytes: 0 });
});

test('a session inherits profiles and record as they are when it begins', async () => {
  const world = await openWorld();
  const profiles = [...recommendedProfiles];
  const { id } = await world.createStream({ name: 'inherits', profiles });
  const before = await world.start(id, { duration: 5 });
  await world.setRecord(id, true);
  const after = await world.start(id, { duration: 5 });
  expect([before.record, after.record]).toEqual([false, true]);
  expect(after.profiles).toEqual(profiles);
});

test('later changes of the parent leave its sessions alone', async () => {
  const world = await openWorld({ recordingDelay: 0 });
  const { id } = await world.createStream({ name: 'kept', record: true });
  const recorded = await world.start(id, { duration: 5 });
  await world.setRecord(id, false);
  expect(world.sessions(id)).toEqual([recorded]);
});

test('recording switches on and off, again and again, without touching other streams', async () => {
  const world = await openWorld();
  const { id } = await world.createStream({ name: 'switched' });
  const other = await world.createStream({ name: 'other' });
  for (const record of [true, true, false, false]) {
    await world.setRecord(id, record);
    expect(world.streams().find((stream) => stream.id === id)?.record).toBe(record);
  }
  expect(world.streams()).toContainEqual(other);
});

test('a recorded session waits while live and until the recording delay is over', async () => {
  const world = await openWorld({ recordingDelay: '1m' });
  const { id } = await world.createStream({ name: 'waits', record: true });
  const live = await world.start(id);
  expect(live).toMatchObject({ isActive: true, recordingStatus: 'waiting' });
  expect(world.streams()[0]).toMatchObject({ isActive: true, lastSeen: world.clock.now() });

  world.clock.advance('10s');
  expect(await world.stop(id)).toMatchObject({ isActive: false, recordingStatus: 'waiting' });
  world.clock.advance(59_999);
  expect(world.sessions(id)[0]).not.toHaveProperty('recordingUrl');

  world.clock.advance(1);
  expect(world.sessions(id)[0]).toMatchObject({
    recordingStatus: 'ready',
    recordingUrl: `http://127.0.0.1:4100/recordings/${live.id}/index.m3u8`,
    mp4URL: `http://127.0.0.1:4100/recordings/${live.id}/source.mp4`,
    mp4Url: `http://127.0.0.1:4100/recordings/${live.id}/source.mp4`,
    sourceSegmentsDuration: 10,
    sourceSegments: 4,
  });
});

test('a session that is not recorded has no recording status', async () => {
  const world = await openWorld({ recordingDelay: 0 });
  const { id } = await world.createStream({ name: 'unrecorded' });
  await world.start(id, { duration: 5 });
  expect(world.sessions(id)[0]).not.toHaveProperty('recordingStatus');
  expect(world.sessions(id)[0]).not.toHaveProperty('mp4URL');
});

test('of two encoders that connect at once, one is refused', async () => {
  const world = await openWorld();
  const { id } = await world.createStream({ name: 'contested' });
  const outcomes = await Promise.allSettled([world.start(id), world.start(id)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(world.sessions(id)).toHaveLength(1);
});
