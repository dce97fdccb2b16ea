import { expect, test } from 'vitest';
import type { Profile } from '../../interface/types.ts';
import { createMock } from '../mock.ts';
import type { World } from '../service/testers/world-handle.ts';

const profiles: Profile[] = [
  { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 },
  { name: '360p', bitrate: 500_000, fps: 30, width: 640, height: 360 },
];

/** The counts of a number of source segments with a total of seconds, and of two renditions. */
function countsOf(segments: number, seconds: number) {
  return {
    sourceSegments: segments,
    transcodedSegments: 2 * segments,
    sourceSegmentsDuration: seconds,
    transcodedSegmentsDuration: 2 * seconds,
    // 4 Mbit/s, and 2.5 Mbit/s for both renditions together.
    sourceBytes: Math.round(seconds * 500_000),
    transcodedBytes: Math.round(seconds * 312_500),
  };
}

const twoSegments = countsOf(2, 6.4);
/** The seconds of three segments and a short one. */
const tenSeconds = countsOf(4, 10);
const sixteenSeconds = countsOf(6, 16.4);

/** A world with one stream, and what that stream shows now. */
async function openStream() {
  const world = await createMock({ recordingDelay: '1m' }).world();
  const created = await world.createStream({ name: 'Harbour', profiles, record: true });
  return { world, created, show: () => world.streams()[0] };
}

async function stopAfter(world: World, streamId: string, time: string): Promise<number> {
  world.clock.advance(time);
  await world.stop(streamId);
  return world.clock.now();
}

test('before a stream is live, it shows no media, and keeps what it was created with', async () => {
  const { world, created, show } = await openStream();
  world.clock.advance('1h');
  expect(show()).toEqual(created);
  expect(created).toEqual({
    ...countsOf(0, 0),
    isActive: false,
    id: created.id,
    kind: 'stream',
    name: 'Harbour',
    createdAt: world.clock.now() - 3_600_000,
    streamKey: created.streamKey,
    playbackId: created.playbackId,
    record: true,
    profiles,
    lastSeen: 0,
    suspended: false,
    renditions: {},
    userId: created.userId,
    createdByTokenName: 'livestream-mock',
  });
});

test('while live, the stream and the session show complete segments, and were last seen now', async () => {
  const { world, created, show } = await openStream();
  const { id } = await world.start(created.id);
  const begin = world.clock.now();
  world.clock.advance('9s');
  const live = { ...twoSegments, isActive: true, lastSeen: begin + 9_000 };
  expect(show()).toEqual({ ...created, ...live });
  expect(world.sessions()).toEqual([
    {
      ...live,
      id,
      kind: 'session',
      name: `session-${new Date(begin).toISOString()}`,
      parentId: created.id,
      playbackId: created.playbackId,
      createdAt: begin,
      record: true,
      profiles,
      recordingStatus: 'waiting',
      userId: created.userId,
    },
  ]);
});

test('after a broadcast, the stream and the session show all media, and were last seen at its end', async () => {
  const { world, created, show } = await openStream();
  await world.start(created.id);
  const end = await stopAfter(world, created.id, '10s');
  world.clock.advance(59_999);
  expect(world.sessions()[0]).not.toHaveProperty('recordingUrl');
  world.clock.advance(1);
  const ended = { ...tenSeconds, isActive: false, lastSeen: end };
  expect(show()).toEqual({ ...created, ...ended });
  const [session] = world.sessions();
  const path = `http://127.0.0.1:4100/recordings/${session?.id}`;
  expect(session).toMatchObject({
    ...ended,
    recordingStatus: 'ready',
    recordingUrl: `${path}/index.m3u8`,
    mp4URL: `${path}/source.mp4`,
    mp4Url: `${path}/source.mp4`,
  });
});

test('a stream shows the sums of its sessions, and was last seen in the latest', async () => {
  const { world, created, show } = await openStream();
  const other = await world.createStream({ name: 'other', profiles });
  await world.start(other.id, { duration: 100 });
  await world.start(created.id);
  await stopAfter(world, created.id, '10s');
  world.clock.advance('1h');
  await world.start(created.id);
  world.clock.advance('9s');
  const stream = () => world.streams().find(({ id }) => id === created.id);
  const live = { isActive: true, lastSeen: world.clock.now() };
  expect(stream()).toEqual({ ...created, ...sixteenSeconds, ...live });
  expect(world.sessions(created.id)).toMatchObject([twoSegments, tenSeconds]);

  await world.stop(created.id);
  const end = world.clock.now();
  world.clock.advance('1h');
  expect(stream()).toMatchObject({ sourceSegmentsDuration: 19, isActive: false, lastSeen: end });
  expect(show()?.id).toBe(other.id);
});
