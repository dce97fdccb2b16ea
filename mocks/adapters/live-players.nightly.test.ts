import { test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { expectGoingOn, watch, watchStream } from './live-players.test-support.ts';

const browser = useBrowser();

/** shaka finds the live edge with its own clock, so it does not follow a world's clock that jumps. */
const playersWithoutClock = ['hls.js', 'video.js', 'chromium'] as const;
const players = [...playersWithoutClock, 'shaka'] as const;

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

test.each(['1m', '1h'])('players go on when the clock jumps by %s', async (time) => {
  const { world, watchers } = await watchStream(browser(), playersWithoutClock);
  await expectGoingOn(watchers);
  world.clock.advance(time);
  await expectGoingOn(watchers);
});

test('players end when the encoder does not come back, and play the recording', async () => {
  const { world, id, watchers } = await watchStream(browser(), players);
  await expectGoingOn(watchers);
  const { recordingUrl = '' } = await world.stop(id);
  world.clock.advance('1m');
  await Promise.all(watchers.map((watcher) => watcher.expectEnded()));
  const viewers = await watch(browser(), recordingUrl, players);
  await Promise.all(viewers.map((viewer) => viewer.expectEnded()));
});
