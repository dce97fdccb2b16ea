import { expect, test } from 'vitest';
import { addressesIn, openMediaWorld, readMedia, sumOfSegments } from './media.test-support.ts';

/** A live stream, and the address of its playlist. */
async function goLive() {
  const { world, get } = await openMediaWorld();
  const { id, playbackId } = await world.createStream({ name: 'live' });
  await world.start(id);
  return { world, get, id, url: `http://player.test/hls/${playbackId}/index.m3u8` };
}

test('a live playlist slides with the clock: it names the last six whole segments', async () => {
  const { world, get, url } = await goLive();
  const seen: [number | undefined, number][] = [];
  for (const advance of ['0s', '3199ms', '1ms', '3200ms', '9600ms', '3200ms', '1h']) {
    world.clock.advance(advance);
    const { mediaSequenceBase, segments, endlist } = await readMedia(await get(url));
    seen.push([mediaSequenceBase, segments.length]);
    expect(endlist).toBe(false);
  }
  expect(seen.join(' ')).toBe('0,1 0,1 0,1 0,2 0,5 0,6 1125,6');
});

test('every segment that a live playlist names exists, and the next one does not', async () => {
  const { world, get, url } = await goLive();
  world.clock.advance('1m');
  const addresses = addressesIn(await readMedia(await get(url)), url);
  expect(addresses).toHaveLength(7);
  for (const address of addresses) expect((await get(address)).status).toBe(200);
  const next = addresses.at(-1)?.replace('00000017.m4s', '00000018.m4s') ?? '';
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
  world.clock.advance(800 + 3200 + 6 * 3200 - 1);
  expect((await get(oldest)).status).toBe(200);
  world.clock.advance(1);
  expect((await get(oldest)).status).toBe(404);
});

test('when the encoder has disconnected, the playlist ends with a short last segment', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('10s');
  const session = await world.stop(id);
  const playlist = await readMedia(await get(url));
  expect(playlist.endlist).toBe(true);
  expect(playlist.segments.map(({ duration }) => duration)).toEqual([3.2, 3.2, 3.2, 0.4]);
  expect(sumOfSegments(playlist)).toBeCloseTo(session.sourceSegmentsDuration, 5);
  for (const address of addressesIn(playlist, url)) {
    expect((await get(address)).status).toBe(200);
  }
});

test('a second session replaces the first in the live playlist', async () => {
  const { world, get, id, url } = await goLive();
  world.clock.advance('1m');
  const first = await world.stop(id);
  const second = await world.start(id);
  const addresses = addressesIn(await readMedia(await get(url)), url);
  expect(addresses.every((address) => address.includes(second.id))).toBe(true);
  const [latest = ''] = addresses;
  expect((await get(latest)).status).toBe(200);
  expect((await get(latest.replace(second.id, first.id))).status).toBe(404);
});
