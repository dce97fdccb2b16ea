import { expect, test } from 'vitest';
import type { Profile } from '../../interface/types.ts';
import { openMediaWorld, record } from './media.test-support.ts';

/** What a player keeps of an answer. */
async function keep(answer: Response): Promise<{ etag: string; text: string }> {
  expect(answer.status).toBe(200);
  return { etag: answer.headers.get('etag') ?? 'none', text: await answer.text() };
}

test('the ETag of a live playlist changes exactly when its bytes do', async () => {
  const { world, get } = await openMediaWorld();
  const stream = await world.createStream({ name: 'live' });
  await world.start(stream.id);
  const url = `http://player.test/hls/${stream.playbackId}/index.m3u8`;
  const ask = () => get(url);
  const seen = [await keep(await ask())];
  // Half a segment at a time, past the six segments from which on the playlist slides.
  for (let step = 0; step < 20; step++) {
    world.clock.advance('1600ms');
    seen.push(await keep(await ask()));
  }
  const known = { 'if-none-match': seen.at(-1)?.etag ?? '' };
  expect((await get(url, known)).status).toBe(304);
  await world.stop(stream.id);
  seen.push(await keep(await get(url, known)));
  const texts = new Set(seen.map(({ text }) => text));
  expect(texts.size).toBe(11);
  expect(new Set(seen.map(({ etag }) => etag)).size).toBe(11);
  expect(new Set(seen.map(({ etag, text }) => etag + text)).size).toBe(11);
});

const profile: Profile = { name: '360p', bitrate: 500_000, fps: 30, width: 640, height: 360 };

test.each<[string, string, Partial<Profile>]>([
  ['began at another time', '1s', {}],
  ['has another bitrate', '0s', { bitrate: 600_000 }],
  ['has another size', '0s', { width: 854, height: 480 }],
])(
  'after a reset, a session with the same id that %s has another ETag',
  async (_, advance, change) => {
    const { world, get } = await openMediaWorld();
    const first = await record(world, 5, [profile]);
    const known = await keep(await get(first.playlistUrl));
    await world.reset();
    world.clock.advance(advance);
    const second = await record(world, 5, [{ ...profile, ...change }]);
    expect(second.playlistUrl).toBe(first.playlistUrl);
    const answer = await get(first.playlistUrl, { 'if-none-match': known.etag });
    expect((await keep(answer)).etag).not.toBe(known.etag);
  },
);
