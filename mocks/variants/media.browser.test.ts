import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Session } from '../../interface/types.ts';
import { serveMock } from '../../target/servers.test-support.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { type Watcher, watch } from '../adapters/live-players.test-support.ts';
import type { VariantName, VariantText } from './families.ts';
import { mediaVariants } from './media.ts';

const browser = useBrowser();

/** Serves a mock with a recording of seven seconds, and reads the session as an app does. */
async function recordedSession(variant: VariantText, profiles = [...recommendedProfiles]) {
  const { mock, origin } = await serveMock({ variant });
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'recorded', record: true, profiles });
  await world.start(id, { duration: 7 });
  world.clock.advance('1m');
  const response = await fetch(`${origin}/api/stream/${id}/sessions?record=1`, {
    headers: { authorization: `Bearer ${mock.apiKey}` },
  });
  const [session] = (await response.json()) as [Session];
  return { mock, session };
}

/** Waits until five seconds of a recording have played, at four times the speed. */
async function expectPlaysQuickly(watcher: Watcher | undefined): Promise<void> {
  await watcher?.page.evaluate(() => {
    const video = document.querySelector('video');
    if (video !== null) video.playbackRate = 4;
  });
  await watcher?.expectPlayed(5);
}

/** Those that recordings of streams with profiles have, too. */
const names = (Object.keys(mediaVariants) as VariantName[]).filter(
  (name) => name !== 'playlist-with-one-variant',
);

test.each(names)(
  'hls.js plays the recording of a mock with %s, and its MP4 file is there',
  async (variant) => {
    const { mock, session } = await recordedSession(variant);
    const [watcher] = await watch(browser(), session.recordingUrl ?? '', ['hls.js']);
    await expectPlaysQuickly(watcher);
    const mp4 = await fetch(session.mp4URL ?? '');
    expect([mp4.status, mp4.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect((await mp4.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    // An address that ends has to be tried later.
    (await mock.world()).clock.advance('2h');
    await (await fetch(session.mp4URL ?? '')).body?.cancel();
    expect((await mock.evidence()).changed[variant]).toBeGreaterThan(0);
  },
);

test('hls.js plays byte ranges of a file whose address is signed', async () => {
  const { mock, session } = await recordedSession('byte-ranges+media-addresses-end');
  const [watcher] = await watch(browser(), session.recordingUrl ?? '', ['hls.js']);
  await expectPlaysQuickly(watcher);
  expect((await mock.evidence()).changed).toEqual({
    'byte-ranges': expect.any(Number),
    'media-addresses-end': expect.any(Number),
  });
});

test('without profiles, hls.js plays the playlist of the only rendition', async () => {
  const { mock, session } = await recordedSession('playlist-with-one-variant', []);
  const [watcher] = await watch(browser(), session.recordingUrl ?? '', ['hls.js']);
  await expectPlaysQuickly(watcher);
  expect((await mock.evidence()).changed['playlist-with-one-variant']).toBeGreaterThan(0);
});
