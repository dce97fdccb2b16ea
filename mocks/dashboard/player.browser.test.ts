import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/command-line.test-support.ts';
import { serve } from '../adapters/node/node.ts';
import { expectPlaying, expectShown, press, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a live stream can be watched from its first second', async () => {
  const port = await freePort();
  const mediaOrigin = `http://127.0.0.1:${port}`;
  const { page, mock, world } = await openDashboard({ mediaOrigin, now: Date.now });
  const media = await serve(mock, { port });
  onTestFinished(async () => {
    await page.close();
    await media.close();
  });
  const { id, playbackId } = await world.createStream({ name: 'Watched' });
  await expectShown(page.getByText(`${mediaOrigin}/hls/${playbackId}/index.m3u8`, { exact: true }));
  await world.start(id);
  await press(page, 'Watch live');
  await expectShown(page.getByRole('heading', { name: 'Watched, live' }));
  await expectPlaying(page);
});

test('on a phone the whole picture is in view', async () => {
  const { page } = await openDashboard({
    world: 'demo',
    context: { viewport: { width: 390, height: 844 } },
  });
  await press(page, 'Watch live');
  const bottomOf = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
  await expect.poll(() => bottomOf('video')).toBeLessThanOrEqual(844 - 44);
});

test('a recording plays with hls.js, which is loaded only then, or in the browser itself', async () => {
  const { page, world } = await openDashboard({ recordingDelay: 0 });
  const { id } = await world.createStream({ name: 'Recorded', record: true });
  await world.start(id, { duration: 30 });
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  const play = async (): Promise<string> => {
    await page.reload();
    await page.getByRole('button', { name: /^Play recording of/ }).waitFor();
    expect(scripts.splice(0)).toEqual(['/_mock/dashboard/dashboard.js']);
    await press(page, /^Play recording of/);
    await expectPlaying(page);
    expect(scripts.splice(0)).toEqual(['/_mock/dashboard/hls.js']);
    return page.locator('video').evaluate((video) => (video as HTMLVideoElement).src);
  };
  expect(await play()).toMatch(/^blob:/);
  await page.addInitScript(() => {
    Object.assign(window, { MediaSource: undefined, ManagedMediaSource: undefined });
  });
  expect(await play()).toMatch(/index\.m3u8$/);
});
