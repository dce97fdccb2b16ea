import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { testerOfHandle } from '../service/testers/world-handle.ts';
import { sessionWrites } from '../service/testers/writes.ts';
import { addressesIn, openMediaWorld, readMedia, readMultivariant } from './media.test-support.ts';
import { testRequest } from './request.test-support.ts';

/** A live stream, and the address of its source's playlist. */
async function goLive() {
  const { world, get } = await openMediaWorld();
  const { id, playbackId } = await world.createStream({ name: 'live' });
  await world.start(id);
  return { world, get, id, url: `http://player.test/hls/${playbackId}/source/index.m3u8` };
}

/** A live stream without profiles, and how its encoder comes back after it was given a number of profiles. */
async function changeProfiles() {
  const { mock, world, get } = await openMediaWorld();
  const { id, playbackId } = await world.createStream({ name: 'live' });
  await world.start(id);
  const restartWith = async (count: number) => {
    await world.stop(id);
    const body = JSON.stringify({ profiles: recommendedProfiles.slice(0, count) });
    const authorization = `Bearer ${world.apiKey}`;
    await mock.fetch(testRequest(`PATCH /api/stream/${id}`, { authorization, body }));
    await world.start(id);
  };
  return { get, restartWith, folder: `http://player.test/hls/${playbackId}` };
}

test('a live playlist slides with the clock: it names the last six segments', async () => {
  const { world, get, url } = await goLive();
  const seen: [number | undefined, number][] = [];
  for (const advance of ['0s', '3200ms', '20ms', '3200ms', '9600ms', '3200ms', '1h']) {
    world.clock.advance(advance);
    const { mediaSequenceBase, segments, endlist } = await readMedia(await get(url));
    seen.push([mediaSequenceBase, segments.length]);
    expect(endlist).toBe(false);
  }
  expect(seen.join(' ')).toBe('0,1 0,1 0,2 0,3 0,6 1,6 1126,6');
});

test('every segment that a live playlist names exists, and the next one does not', async () => {
  const { world, get, url } = await goLive();
  world.clock.advance('1m');
  const addresses = addressesIn(await readMedia(await get(url)), url);
  expect(addresses).toHaveLength(7);
  for (const address of addresses) expect((await get(address)).status).toBe(200);
  const next = addresses.at(-1)?.replace('00000018.m4s', '00000019.m4s') ?? '';
  expect((await get(next)).status).toBe(404);
  world.clock.advance('3200ms');
  expect((await get(next)).status).toBe(200);
});

test('after a segment has left the playlist, it stays for its own length and that of the playlist', async () => {
  const { world, get, url } = await goLive();
  world.clock.advance('1m');
  const playlist = await readMedia(await get(url));
  const oldest = addressesIn(playlist, url).at(1) ?? '';
  // It leaves when the next segment comes, after 60.8 s. RFC 8216, 6.2.2, requires that it stays for a while.
  world.clock.advance(800 + 3200 + 6 * 3200);
  expect((await get(oldest)).status).toBe(200);
  world.clock.advance(20);
  expect((await get(oldest)).status).toBe(404);
});

test('what follows does not change a segment: when the encoder has disconnected, the last one stays whole', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('10s');
  const live = await (await get(url)).text();
  const session = await world.stop(id);
  expect(await (await get(url)).text()).toBe(live);
  const playlist = await readMedia(await get(url));
  expect(playlist.segments.map(({ duration }) => duration)).toEqual([3.2, 3.2, 3.2, 3.2]);
  expect(playlist.segments).toHaveLength(session.sourceSegments);
});

test('the playlist ends when the encoder has not come back for a minute', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('10s');
  await world.stop(id);
  world.clock.advance(59_999);
  expect((await readMedia(await get(url))).endlist).toBe(false);
  world.clock.advance(1);
  const playlist = await readMedia(await get(url));
  expect(playlist.endlist).toBe(true);
  for (const address of addressesIn(playlist, url)) {
    expect((await get(address)).status).toBe(200);
  }
});

test('an encoder that comes back continues the playlist, after a discontinuity', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('1m');
  const first = await world.stop(id);
  world.clock.advance('5s');
  const second = await world.start(id);
  const playlist = await readMedia(await get(url));
  expect(playlist).toMatchObject({ mediaSequenceBase: 14, discontinuitySequenceBase: 0 });
  expect(playlist.segments.map(({ discontinuity }) => discontinuity === true)).toEqual([
    ...Array(5).fill(false),
    true,
  ]);
  const addresses = addressesIn(playlist, url);
  const sessions = addresses.map((address) => (address.includes(first.id) ? 'first' : 'second'));
  expect(sessions.join(' ')).toBe('first first first first first first second second');
  expect(addresses.at(-1)).toContain(second.id);
  for (const address of addresses) expect((await get(address)).status).toBe(200);
});

test('after its end, the playlist begins anew with the next session, and its numbers go on', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('1m');
  await world.stop(id);
  world.clock.advance('1h');
  expect((await readMedia(await get(url))).endlist).toBe(true);
  const second = await world.start(id);
  const playlist = await readMedia(await get(url));
  expect(playlist).toMatchObject({ mediaSequenceBase: 19, endlist: false });
  expect(playlist.segments).toMatchObject([{ discontinuity: true, discontinuitySequence: 1 }]);
  expect(playlist.segments[0]?.uri).toContain(second.id);
});

test('renditions agree on the sequence, also across sessions', async () => {
  const { world, get } = await openMediaWorld();
  const profiles = [...recommendedProfiles];
  const { id, playbackId } = await world.createStream({ name: 'live', profiles });
  await world.start(id);
  world.clock.advance('1m');
  await world.stop(id);
  await world.start(id);
  world.clock.advance('10s');
  const folders = ['source', '0', '1', '2'];
  const texts = folders.map(async (folder) =>
    (await get(`http://player.test/hls/${playbackId}/${folder}/index.m3u8`)).text(),
  );
  expect(new Set(await Promise.all(texts)).size).toBe(1);
});

test('with and without profiles, the first playlist of a live stream lists its renditions', async () => {
  const { get, restartWith, folder } = await changeProfiles();
  const renditions = async () => {
    const { variants } = await readMultivariant(await get(`${folder}/index.m3u8`));
    return variants.map(({ uri }) => uri);
  };
  expect(await renditions()).toEqual(['source/index.m3u8']);
  await restartWith(1);
  expect(await renditions()).toEqual(['source/index.m3u8', '0/index.m3u8']);
});

test('each rendition that stays goes on when the profiles have changed between two sessions', async () => {
  const { get, restartWith, folder } = await changeProfiles();
  await restartWith(1);
  await restartWith(2);
  const seen = ['source', '0', '1'].map(async (rendition) => {
    const playlist = await readMedia(await get(`${folder}/${rendition}/index.m3u8`));
    return [playlist.mediaSequenceBase, playlist.segments.length];
  });
  expect(await Promise.all(seen)).toEqual([
    [0, 3],
    [1, 2],
    [2, 1],
  ]);
});

test('a clock that was set back does not change which session comes last', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('1h');
  await world.stop(id);
  world.clock.set(world.clock.now() - 1_800_000);
  const second = await world.start(id);
  await world.stop(id);
  const playlist = await readMedia(await get(url));
  expect(playlist.segments.at(-1)?.uri).toContain(second.id);
  expect(playlist.mediaSequenceBase).toBe(1125 - 5);
});

test('a session of the past, added later, changes nothing in the live playlist', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('1h');
  await world.stop(id);
  const before = await (await get(url)).text();
  const endedAt = world.clock.now() - 3_700_000;
  sessionWrites.create(testerOfHandle(world).world, [{ parentId: id, duration: 5, endedAt }]);
  expect(await (await get(url)).text()).toBe(before);
});
