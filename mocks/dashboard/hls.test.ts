import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectShown, type Setup, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Has the browser play no HLS by itself, as Firefox; tells which scripts the page loads. */
async function takeHlsAway({ page }: Setup): Promise<string[]> {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.canPlayType = () => '';
  });
  await page.reload();
  return scripts;
}

const playedOf = (page: Page) => () =>
  page.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime);

test('where the browser plays no HLS, hls.js is loaded when something is played', async () => {
  const stage = await openDashboard({ recordingDelay: 0 });
  const { page, world } = stage;
  const { id } = await world.createStream({ name: 'Recorded', record: true });
  await world.start(id, { duration: 30 });
  const scripts = await takeHlsAway(stage);
  const play = page.getByRole('button', { name: /^Play recording of/ });
  await expectShown(play);
  expect(scripts).toEqual(['/_mock/dashboard/dashboard.js']);
  await play.click();
  await expect.poll(playedOf(page)).toBeGreaterThan(0.5);
  expect(scripts).toEqual(['/_mock/dashboard/dashboard.js', '/_mock/dashboard/hls.js']);
  expect(await page.locator('video').evaluate((video) => (video as HTMLVideoElement).src)).toMatch(
    /^blob:/,
  );
});

test('where hls.js cannot be loaded, the MP4 is played', async () => {
  const stage = await openDashboard({ recordingDelay: 0, refuses: true });
  const { page, world } = stage;
  const { id } = await world.createStream({ name: 'Recorded', record: true });
  await world.start(id, { duration: 30 });
  await page.route('**/hls.js', (route) => route.abort());
  await takeHlsAway(stage);
  await page.getByRole('button', { name: /^Play recording of/ }).click();
  await expect.poll(playedOf(page)).toBeGreaterThan(0.5);
  expect(await page.locator('video').evaluate((video) => (video as HTMLVideoElement).src)).toMatch(
    /source\.mp4$/,
  );
});

test('hls.js plays a live stream too', async () => {
  const stage = await openDashboard();
  const { page, world } = stage;
  const { id } = await world.createStream({ name: 'Live' });
  await world.start(id);
  world.clock.advance('29s');
  await takeHlsAway(stage);
  await page.getByRole('button', { name: 'Watch live' }).click();
  await expect.poll(playedOf(page)).toBeGreaterThan(0.5);
});
