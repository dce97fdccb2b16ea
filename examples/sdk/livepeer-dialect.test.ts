import { Livepeer } from 'livepeer';
import { expect, test } from 'vitest';
import { bundledDialects } from '../../interface/dialect/bundled-dialects.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { testKey } from '../../mocks/http/request.test-support.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { serveMock } from '../../target/servers.test-support.ts';

/** The SDK as an app has it, with a mock that behaves as Livepeer does. */
async function openSdk(options: MockOptions = {}) {
  const { mock, origin } = await serveMock({
    dialect: bundledDialects.livepeer,
    now: () => Date.UTC(2026, 0, 1),
    ...options,
  });
  const sdk = new Livepeer({ apiKey: testKey, serverURL: `${origin}/api` });
  return { sdk, world: await mock.world(testKey) };
}

test('a stream without profiles gets a ladder of four', async () => {
  const { sdk } = await openSdk();
  const { stream } = await sdk.stream.create({ name: 'Harbour camera' });
  expect(stream?.profiles?.map(({ name }) => name)).toEqual(['240p0', '360p0', '480p0', '720p0']);
});

test('every field that the SDK creates a stream with is shown', async () => {
  const { sdk } = await openSdk();
  const { stream } = await sdk.stream.create({
    name: 'Harbour camera',
    record: true,
    profiles: [...recommendedProfiles],
    creatorId: 'anna',
    playbackPolicy: { type: 'public' },
    userTags: { venue: 'harbour' },
  } as Parameters<typeof sdk.stream.create>[0]);
  expect(stream).toMatchObject({
    name: 'Harbour camera',
    record: true,
    creatorId: { type: 'unverified', value: 'anna' },
    playbackPolicy: { type: 'public' },
    userTags: { venue: 'harbour' },
  });
  const { stream: read } = await sdk.stream.get(String(stream?.id));
  expect(read?.profiles?.map(({ name }) => name)).toEqual(['720p', '480p', '360p']);
});

test('an update switches recording, and the next session is recorded', async () => {
  const { sdk, world } = await openSdk();
  const { stream } = await sdk.stream.create({ name: 'Harbour camera' });
  const id = String(stream?.id);
  await sdk.stream.update({ record: true }, id);
  expect((await sdk.stream.get(id)).stream?.record).toBe(true);
  await world.start(id, { duration: 5 });
  const { data: recorded = [] } = await sdk.session.getRecorded(id, 1);
  expect(recorded).toMatchObject([{ parentId: id, record: true }]);
});

test('the lists of the demo world are read, page by page', async () => {
  const { sdk, world } = await openSdk({ world: 'demo' });
  const { data: streams = [] } = await sdk.stream.getAll();
  expect(streams.map(({ id }) => id)).toEqual(
    expect.arrayContaining(world.streams().map(({ id }) => id)),
  );
  const { data: sessions = [] } = await sdk.session.getAll();
  expect(sessions.length).toBeGreaterThan(0);
  expect(sessions.length).toBeLessThanOrEqual(20);
});

test('a recording is ready in time, and played at the address that the SDK reads', async () => {
  const { sdk, world } = await openSdk();
  const { stream } = await sdk.stream.create({ name: 'Harbour camera', record: true });
  const { id } = await world.start(String(stream?.id), { duration: 5 });
  world.clock.advance('10m');
  const { session } = await sdk.session.get(id);
  expect(session?.recordingStatus).toBe('ready');
  expect((await fetch(String(session?.mp4Url))).status).toBe(200);
  const { playbackInfo } = await sdk.playback.get(id);
  expect(playbackInfo?.type).toBe('recording');
});

test('a live stream is ended, and a deleted one is gone', async () => {
  const { sdk, world } = await openSdk();
  const { stream } = await sdk.stream.create({ name: 'Harbour camera' });
  const id = String(stream?.id);
  await world.start(id);
  expect((await sdk.playback.get(String(stream?.playbackId))).playbackInfo?.meta.live).toBe(1);
  await sdk.stream.terminate(id);
  expect(world.streams()[0]?.isActive).toBe(false);
  await sdk.stream.delete(id);
  await expect(sdk.stream.get(id)).rejects.toMatchObject({ statusCode: 404 });
});
