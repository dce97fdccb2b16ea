import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/command-line.test-support.ts';
import { serve } from '../adapters/node/node.ts';
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
  const setup = await openDashboard({ recordingDelay: 0 });
  const { page, world } = setup;
  const { id } = await world.createStream({ name: 'Recorded', record: true });
  await world.start(id, { duration: 30 });
  const scripts = await takeHlsAway(setup);
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
  const setup = await openDashboard({ recordingDelay: 0, refuses: true });
  const { page, world } = setup;
  const { id } = await world.createStream({ name: 'Recorded', record: true });
  await world.start(id, { duration: 30 });
  await page.route('**/hls.js', (route) => route.abort());
  await takeHlsAway(setup);
  await page.getByRole('button', { name: /^Play recording of/ }).click();
  await expect.poll(playedOf(page)).toBeGreaterThan(0.5);
  expect(await page.locator('video').evaluate((video) => (video as HTMLVideoElement).src)).toMatch(
    /source\.mp4$/,
  );
});

test('media that has an origin of its own is played, with hls.js too', async () => {
  const port = await freePort();
  const mediaOrigin = `http://127.0.0.1:${port}`;
  const setup = await openDashboard({ mediaOrigin });
  const { page, mock, world } = setup;
  const media = await serve(mock, { port });
  onTestFinished(async () => {
    await page.close();
    await media.close();
  });
  const { id, playbackId } = await world.createStream({ name: 'Live' });
  await expectShown(page.getByText(`${mediaOrigin}/hls/${playbackId}/index.m3u8`, { exact: true }));
  await world.start(id);
  world.clock.advance('29s');
  const watch = page.getByRole('button', { name: 'Watch live' });
  await watch.click();
  await expect.poll(playedOf(page)).toBeGreaterThan(0.5);
  await takeHlsAway(setup);
  await watch.click();
  await expect.poll(playedOf(page)).toBeGreaterThan(0.5);
});

test('hls.js plays a live stream too', async () => {
  const setup = await openDashboard();
  const { page, world } = setup;
  const { id } = await world.createStream({ name: 'Live' });
  await world.start(id);
  world.clock.advance('29s');
  await takeHlsAway(setup);
  await page.getByRole('button', { name: 'Watch live' }).click();
  await expect.poll(playedOf(page)).toBeGreaterThan(0.5);
});
