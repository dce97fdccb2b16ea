import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { startEncoder } from './ingest/encoder.test-support.ts';
import { serveIngest } from './ingest/served.test-support.ts';
import { expectGoingOn, watch, watchStream } from './live-players.test-support.ts';

const browser = useBrowser();

const players = ['hls.js', 'video.js', 'chromium', 'shaka'] as const;
/** shaka compares the dates in a playlist with its own clock, so it follows a clock that jumps only without them. */
const playersWithoutClock = ['hls.js', 'video.js', 'chromium', 'shaka without dates'] as const;

test.each(['0s', '30s'])(
  'players that were there before the first segment go on when the encoder comes back after %s',
  async (gap) => {
    const { world, id, watchers } = await watchStream(browser(), players, { notYetLive: true });
    await world.start(id);
    await expectGoingOn(watchers);
    await world.stop(id);
    world.clock.advance(gap);
    const { id: secondId } = await world.start(id);
    await Promise.all(watchers.map((watcher) => watcher.expectMediaOf(secondId)));
    await expectGoingOn(watchers);
  },
);

test('players go on when an encoder comes back again and again', async () => {
  const { world, id, watchers } = await watchStream(browser(), players);
  for (let returns = 0; returns < 4; returns += 1) {
    await expectGoingOn(watchers);
    await world.stop(id);
    await world.start(id);
  }
  await expectGoingOn(watchers);
});

test('players go on when an encoder has come back ten times since they last asked', async () => {
  const { world, id, watchers } = await watchStream(browser(), players);
  await expectGoingOn(watchers);
  for (let returns = 0; returns < 10; returns += 1) {
    await world.stop(id);
    await world.start(id);
  }
  await expectGoingOn(watchers);
  await expectGoingOn(watchers);
});

test('players go on when ffmpeg was killed and has come back', async () => {
  const { server, world, stream, address, isLive } = await serveIngest();
  const url = `${server.origin}/hls/${stream.playbackId}/index.m3u8`;
  const watchers = await watch(browser(), url, players);
  const encoder = startEncoder(address, 600);
  await expectGoingOn(watchers);
  await encoder.kill();
  await expect.poll(isLive).toBe(false);
  startEncoder(address, 600);
  await expect.poll(isLive).toBe(true);
  const { id = '' } = world.sessions().find(({ isActive }) => isActive) ?? {};
  await Promise.all(watchers.map((watcher) => watcher.expectMediaOf(id)));
  await expectGoingOn(watchers);
});

test.each([
  [0, 3],
  [3, 0],
  [3, 1],
])(
  'players go on when there were %i profiles and the next session has %i',
  async (before, after) => {
    const { world, id, setProfiles, watchers } = await watchStream(browser(), players, {
      profiles: recommendedProfiles.slice(0, before),
    });
    await expectGoingOn(watchers);
    await world.stop(id);
    await setProfiles(recommendedProfiles.slice(0, after));
    const { id: secondId } = await world.start(id);
    await Promise.all(watchers.map((watcher) => watcher.expectMediaOf(secondId)));
    await expectGoingOn(watchers);
  },
);

test.each(['1m', '1h'])('players go on when the clock jumps by %s', async (time) => {
  const { world, watchers } = await watchStream(browser(), playersWithoutClock);
  await expectGoingOn(watchers);
  world.clock.advance(time);
  await expectGoingOn(watchers);
});

/** video.js fires `ended` only if the last segment comes together with the end of the playlist. */
const playersThatFireEnded = ['hls.js', 'chromium', 'shaka'] as const;

test('players fire ended when the encoder does not come back', async () => {
  const { world, id, watchers } = await watchStream(browser(), playersThatFireEnded);
  await expectGoingOn(watchers);
  await world.stop(id);
  world.clock.advance('1m');
  await Promise.all(watchers.map((watcher) => watcher.expectEnded()));
});

test('video.js shows how long the broadcast was when the encoder does not come back', async () => {
  const { world, id, watchers } = await watchStream(browser(), ['video.js']);
  await expectGoingOn(watchers);
  await world.stop(id);
  world.clock.advance('1m');
  await Promise.all(watchers.map((watcher) => watcher.expectOver()));
});

test('players play the recording of a broadcast that they watched', async () => {
  const { world, id, watchers } = await watchStream(browser(), players);
  await expectGoingOn(watchers);
  const { recordingUrl = '' } = await world.stop(id);
  const viewers = await watch(browser(), recordingUrl, players);
  await Promise.all(viewers.map((viewer) => viewer.expectEnded()));
});

test('players play ten minutes', async () => {
  const { watchers } = await watchStream(browser(), players);
  await Promise.all(watchers.map((watcher) => watcher.expectPlayed(600)));
});
