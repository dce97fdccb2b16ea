import { readdirSync, readFileSync } from 'node:fs';
import { Livepeer } from 'livepeer';
import { SDKError } from 'livepeer/models/errors';
import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { recordingStatuses } from '../../interface/types.ts';
import { testKey, testRequest } from '../../mocks/http/request.test-support.ts';
import { createMock } from '../../mocks/mock.ts';
import type { MockOptions } from '../../mocks/mock-options.ts';
import { serveMock } from '../../target/servers.test-support.ts';

/** The SDK as an app has it, and the world of its key. */
async function openSdk(options: MockOptions = {}) {
  const { mock, origin } = await serveMock({ now: () => Date.UTC(2026, 0, 1), ...options });
  const sdk = new Livepeer({ apiKey: testKey, serverURL: `${origin}/api` });
  return { sdk, world: await mock.world(testKey), origin };
}

type Update = Parameters<Livepeer['stream']['update']>[0];
const profiles = [...recommendedProfiles] as NonNullable<Update['profiles']>;
const creatorId = { type: 'unverified', value: 'anna' } as const;

test('a stream is created with all fields of the SDK, and shows them', async () => {
  const { sdk } = await openSdk();
  const fields = {
    name: 'Harbour camera',
    record: true,
    profiles: recommendedProfiles.map((profile) => ({
      ...profile,
      fpsDen: 1,
      quality: 23,
      gop: '2.0',
      profile: 'H264ConstrainedHigh',
      encoder: 'H.264',
    })),
    playbackPolicy: { type: 'public' },
    userTags: { venue: 'harbour', gates: [1, 2] },
    recordingSpec: { profiles: [{ bitrate: 500_000, name: '360p', width: 640, height: 360 }] },
    multistream: { targets: [{ profile: '720p', videoOnly: true, id: 'target-1' }] },
    pull: { source: 'https://camera.test/live.m3u8' },
  } as unknown as Parameters<typeof sdk.stream.create>[0];
  const { stream } = await sdk.stream.create({ ...fields, creatorId: 'anna' });
  expect(stream).toMatchObject({ ...fields, creatorId });
  const { stream: read } = await sdk.stream.get(String(stream?.id));
  expect(read).toEqual(stream);
});

/** A recorded session in each state, one that is not recorded, and one that is live. */
async function openEveryState() {
  const opened = await openSdk();
  const { world } = opened;
  const recorded = await world.createStream({
    name: '',
    record: true,
    profiles: [...recommendedProfiles],
  });
  const other = await world.createStream({ name: 'not recorded' });
  for (const _ of recordingStatuses) await world.start(recorded.id, { duration: 4.2 });
  const state = world.exportState();
  const sessions = state.sessions.map((session, index) => {
    const recordingStatus = recordingStatuses[index] ?? 'ready';
    return { ...session, recordingStatus };
  });
  await world.importState({ ...state, sessions });
  await world.start(other.id, { duration: 4.2 });
  await world.start(recorded.id);
  return opened;
}

test.each([
  ['empty', () => openSdk()],
  ['demo', () => openSdk({ world: 'demo' })],
  ['in every state', openEveryState],
])('the SDK reads each stream and session, alone and in its lists: %s', async (_, open) => {
  const { sdk, world } = await open();
  const ids = (list: readonly { id?: string | undefined }[] = []) => list.map(({ id }) => id);
  expect(ids((await sdk.stream.getAll()).data)).toEqual(ids(world.streams()));
  expect(ids((await sdk.session.getAll()).data)).toEqual(ids(world.sessions()));
  for (const { id } of world.streams()) {
    expect((await sdk.stream.get(id)).stream?.id).toBe(id);
    const sessions = world.sessions(id);
    const recorded = sessions.filter(({ record }) => record);
    expect(ids((await sdk.session.getRecorded(id)).data)).toEqual(ids(sessions));
    expect(ids((await sdk.session.getRecorded(id, 1)).data)).toEqual(ids(recorded));
  }
  for (const { id, recordingStatus, recordingUrl, mp4URL } of world.sessions()) {
    const { session } = await sdk.session.get(id);
    const isReady = recordingStatus === 'ready';
    expect(session).toMatchObject({ id, ...(isReady && { recordingUrl, mp4Url: mp4URL }) });
    expect([recordingUrl, mp4URL, session?.mp4Url].filter(Boolean)).toHaveLength(isReady ? 3 : 0);
  }
});

test('an update sets every field of the SDK but record; the stream is listed, and deleted', async () => {
  const { sdk, world } = await openSdk();
  const { id } = await world.createStream({ name: 'Harbour camera', record: true });
  const update = {
    name: 'Bridge camera',
    suspended: true,
    profiles,
    playbackPolicy: { type: 'public' },
    userTags: { venue: 'bridge' },
    recordingSpec: { profiles: [{ bitrate: 500_000, name: '360p', width: 640, height: 360 }] },
    multistream: { targets: [{ profile: 'source', videoOnly: false, id: 'target-1' }] },
  };
  await sdk.stream.update({ ...update, creatorId: 'anna' } as Update, id);
  const { data } = await sdk.stream.getAll();
  expect(data).toMatchObject([{ ...update, id, creatorId, record: true }]);
  await sdk.stream.delete(id);
  await expect(sdk.stream.get(id)).rejects.toMatchObject({ statusCode: 404 });
});

test('new profiles have names of their own, and are inherited by sessions that begin after the update', async () => {
  const { sdk, world } = await openSdk();
  const { id } = await world.createStream({ name: 'Harbour camera' });
  const before = await world.start(id);
  await expect(sdk.stream.update({ profiles }, id)).rejects.toMatchObject({
    statusCode: 400,
    body: expect.stringContaining('profiles: expected a stream that is not live'),
  });
  await sdk.stream.terminate(id);
  const twins = sdk.stream.update({ profiles: [...profiles, ...profiles] }, id);
  await expect(twins).rejects.toMatchObject({
    statusCode: 400,
    body: expect.stringContaining('expected a unique name'),
  });
  await sdk.stream.update({ profiles }, id);
  const after = await world.start(id, { duration: 5 });
  expect((await sdk.session.get(before.id)).session?.profiles).toEqual([]);
  expect((await sdk.session.get(after.id)).session?.profiles).toEqual(profiles);
});

test('a suspended stream ends, cannot be live, and is not found by players', async () => {
  const { sdk, world, origin } = await openSdk();
  const { id, playbackId } = await world.createStream({ name: 'Harbour camera' });
  await world.start(id);
  await sdk.stream.update({ suspended: true }, id);
  expect((await sdk.stream.get(id)).stream).toMatchObject({ suspended: true, isActive: false });
  await expect(world.start(id)).rejects.toThrow('expected a stream that is not suspended');
  await expect(sdk.playback.get(playbackId)).rejects.toThrow('that is not suspended');
  expect((await fetch(`${origin}/hls/${playbackId}/index.m3u8`)).status).toBe(404);
  await sdk.stream.update({ suspended: false }, id);
  await world.start(id);
  expect((await sdk.playback.get(playbackId)).playbackInfo).toMatchObject({ meta: { live: 1 } });
});

test('an inline multistream target gets an id, and its address is shown to nobody', async () => {
  const { sdk, world } = await openSdk();
  const target = { profile: 'source', spec: { name: 'elsewhere', url: 'rtmp://push.test/secret' } };
  const multistream = { targets: [target] };
  const { stream } = await sdk.stream.create({ name: 'Harbour camera', multistream });
  const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
  const returnedTarget = { profile: 'source', videoOnly: false, id: uuid };
  expect(stream?.multistream).toEqual({ targets: [returnedTarget] });
  const [first] = stream?.multistream?.targets ?? [];
  const id = String(stream?.id);
  const targets = [{ profile: 'source', id: first?.id }, target] as const;
  await sdk.stream.update({ multistream: { targets: [...targets] } }, id);
  const updated = (await sdk.stream.get(id)).stream;
  expect(updated?.multistream).toEqual({ targets: [first, returnedTarget] });
  expect(updated?.multistream?.targets?.[1]?.id).not.toBe(first?.id);
  expect(JSON.stringify(world.exportState())).not.toContain('secret');
});

test('an update does not switch recording, as the interface has an operation for it', async () => {
  const { sdk, world } = await openSdk();
  const { id } = await world.createStream({ name: 'Harbour camera' });
  await expect(sdk.stream.update({ record: true }, id)).rejects.toMatchObject({
    statusCode: 422,
    body: expect.stringContaining('PATCH /stream/{id}/record switches recording'),
  });
  expect(world.streams()).toMatchObject([{ record: false }]);
});

test('a live stream is played and ended, even twice, and its recording is played', async () => {
  const { sdk, world, origin } = await openSdk();
  const { id, playbackId } = await world.createStream({ name: 'live', record: true });
  const readMeta = async () => (await sdk.playback.get(playbackId)).playbackInfo;
  expect(await readMeta()).toMatchObject({ type: 'live', meta: { live: 0 } });
  await world.start(id);
  const live = `${origin}/hls/${playbackId}/index.m3u8`;
  expect(await readMeta()).toMatchObject({ meta: { live: 1, source: [{ url: live }] } });
  await sdk.stream.terminate(id);
  await sdk.stream.terminate(id);
  expect(await readMeta()).toMatchObject({ meta: { live: 0 } });
  const { data: [session] = [] } = await sdk.session.getRecorded(id);
  const { playbackInfo } = await sdk.playback.get(String(session?.id));
  expect(playbackInfo).toMatchObject({
    type: 'recording',
    meta: { source: [{ url: session?.recordingUrl }, { url: session?.mp4Url }] },
  });
});

test('the SDK gets 404 for what is missing', async () => {
  const { sdk } = await openSdk();
  const error = await sdk.webhook.getAll().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SDKError);
  const { statusCode, body } = error as SDKError;
  expect([statusCode, body]).toEqual([404, expect.stringContaining('expected a known route')]);
});

/** What docs/sdk.md lists as missing. */
const missing =
  /^\/(asset|webhook|access-control|data|clip|room|task|transcode|(api\/)?generate)\b|\/(clips|start-pull)$|multistream/;

test('every path of the SDK is served, or is listed as missing', async () => {
  const folder = new URL('../../node_modules/livepeer/funcs/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const unknown: string[] = [];
  for (const name of files) {
    const source = readFileSync(new URL(name, folder), 'utf8');
    const [, path = ''] = /pathToFunc\)\("([^"]+)"\)/.exec(source) ?? [];
    const [, method = ''] = /^ +method: "([A-Z]+)"/m.exec(source) ?? [];
    const line = `${method} /api${path.replaceAll(/\{\w+\}/g, 'nowhere')}`;
    const text = await (await createMock().fetch(testRequest(line))).text();
    if (text.includes('expected a known route') && !missing.test(path)) unknown.push(line);
  }
  expect(files.length).toBeGreaterThan(60);
  expect(unknown).toEqual([]);
});
