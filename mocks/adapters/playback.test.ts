import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { serve } from './node/node.ts';
import { expectProgress, expectSeek, look, startPlaying } from './video.test-support.ts';

const browser = useBrowser();

/** Serves a mock, whose media is played. */
async function serveMock(options: MockOptions = {}) {
  const mock = createMock({ recordingDelay: 0, ...options });
  const server = await serve(mock);
  onTestFinished(() => server.close());
  return { world: await mock.world(), origin: server.origin };
}

/** Opens a page whose video plays a URL. Any error or console message of the page fails the test. */
async function play(url: string): Promise<Page> {
  const page = await browser().newPage();
  const messages: string[] = [];
  page.on('pageerror', ({ message }) => messages.push(message));
  page.on('console', (message) => messages.push(message.text()));
  onTestFinished(async () => {
    await page.close();
    expect(messages).toEqual([]);
  });
  await page.setContent('<video muted></video>');
  await page.locator('video').evaluate(startPlaying, url);
  return page;
}

const sizes = ['1280x720', '854x480', '640x360'];
const tenHours = 36_000;

test.each(['source.mp4', 'index.m3u8'])('%s of ten hours plays, and seeks far', async (file) => {
  const { world, origin } = await serveMock();
  const profiles = [...recommendedProfiles];
  const { id } = await world.createStream({ name: 'recorded', record: true, profiles });
  const session = await world.start(id, { duration: tenHours });
  const page = await play(`${origin}/recordings/${session.id}/${file}`);
  const { duration, size } = await look(page);
  expect(duration).toBeCloseTo(tenHours, 2);
  expect(sizes).toContain(size);
  await expectProgress(page);
  await expectSeek(page, 30_000);
});

test('a live stream plays, and ends when its session ends', async () => {
  const { world, origin } = await serveMock({ now: Date.now });
  const { id, playbackId } = await world.createStream({ name: 'live' });
  await world.start(id);
  // Chromium plays no live playlist of fewer than three segments; the ninth is there at 28.8 s.
  world.clock.advance('29s');
  const page = await play(`${origin}/hls/${playbackId}/index.m3u8`);
  expect(sizes).toContain((await look(page)).size);
  await expectProgress(page);
  await world.stop(id);
  // Chromium plays live streams no faster, but jumps to the end once it knows where that is.
  await expect.poll(async () => (await look(page)).duration).toBeLessThan(40);
  await page.locator('video').evaluate((video) => {
    const { duration } = video as HTMLVideoElement;
    (video as HTMLVideoElement).currentTime = duration - 1;
  });
  await expectEnd(page);
});

/** Waits until the video has ended, in real time: Chromium plays live streams no faster. */
async function expectEnd(page: Page): Promise<void> {
  await expect
    .poll(() => look(page), { timeout: 25_000, interval: 100 })
    .toMatchObject({ ended: true, error: undefined });
}
