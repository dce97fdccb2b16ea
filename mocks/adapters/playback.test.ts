import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import type { World } from '../service/world-handle.ts';
import { serve } from './node/node.ts';
import { expectProgress, expectSeek, look, startPlaying } from './video.test-support.ts';

const browser = useBrowser();

/** A served mock, at whose origin media is played. */
interface Stage {
  readonly world: World;
  readonly origin: string;
}

async function setStage(options: MockOptions = {}): Promise<Stage> {
  const mock = createMock({ recordingDelay: 0, ...options });
  const server = await serve(mock);
  onTestFinished(() => server.close());
  return { world: await mock.world(), origin: server.origin };
}

/** A page with a video that plays; whatever the page complains about fails the test. */
async function play(url: string): Promise<Page> {
  const page = await browser().newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => complaints.push(message.text()));
  onTestFinished(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });
  await page.setContent('<video muted></video>');
  await page.locator('video').evaluate(startPlaying, url);
  return page;
}

const sizes = ['1280x720', '854x480', '640x360'];
const tenHours = 36_000;

test('the MP4 of ten hours plays, and seeks at once to any place', async () => {
  const { world, origin } = await setStage();
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const session = await world.start(id, { duration: tenHours });
  const page = await play(`${origin}/recordings/${session.id}/source.mp4`);
  expect(await look(page)).toMatchObject({ duration: tenHours, size: '1280x720' });
  await expectProgress(page);
  await expectSeek(page, 30_000);
});

test('the HLS recording of ten hours plays, and seeks to any place', async () => {
  const { world, origin } = await setStage();
  const profiles = [...recommendedProfiles];
  const { id } = await world.createStream({ name: 'recorded', record: true, profiles });
  const session = await world.start(id, { duration: tenHours });
  const page = await play(`${origin}/recordings/${session.id}/index.m3u8`);
  const { duration, size } = await look(page);
  expect(duration).toBeCloseTo(tenHours, 2);
  expect(sizes).toContain(size);
  await expectProgress(page);
  await expectSeek(page, 30_000);
});

test('a recording plays to its end', async () => {
  const { world, origin } = await setStage();
  const { id } = await world.createStream({ name: 'short', record: true });
  const { id: sessionId } = await world.start(id, { duration: 1 });
  for (const file of ['source.mp4', 'index.m3u8']) {
    const page = await play(`${origin}/recordings/${sessionId}/${file}`);
    await expectEnd(page);
    const { currentTime, duration } = await look(page);
    expect(duration).toBeCloseTo(1, 2);
    expect(currentTime).toBeCloseTo(1, 1);
  }
});

test('a live stream plays, and ends when its encoder has gone', async () => {
  const { world, origin } = await setStage({ now: Date.now });
  const { id, playbackId } = await world.createStream({ name: 'live' });
  await world.start(id);
  // Chromium plays no live playlist of less than three segments; the ninth is there at 28.8 s.
  world.clock.advance('29s');
  const page = await play(`${origin}/hls/${playbackId}/index.m3u8`);
  expect(sizes).toContain((await look(page)).size);
  await expectProgress(page);
  await world.stop(id);
  await expectEnd(page);
});

/** Waits until the video has come to its end, in real time: Chromium plays live no faster. */
async function expectEnd(page: Page): Promise<void> {
  await expect
    .poll(() => look(page), { timeout: 25_000, interval: 100 })
    .toMatchObject({ ended: true, error: undefined });
}
