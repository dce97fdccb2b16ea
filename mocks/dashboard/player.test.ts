import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../tools/command-line.test-support.ts';
import { serve } from '../adapters/node/node.ts';
import {
  expectPlaying,
  expectSaid,
  expectShown,
  press,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a live stream is watched as soon as it has begun', async () => {
  const { page, world } = await openDashboard({ now: Date.now });
  const { id } = await world.createStream({ name: 'Live now' });
  await world.start(id);
  await press(page, 'Watch live');
  await expectPlaying(page);
});

test('a stream that ends while it is watched offers its recording', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Watched', record: true });
  await world.start(id);
  await press(page, 'Watch live');
  await expectShown(page.getByRole('heading', { name: 'Watched, live' }));
  world.clock.advance('30s');
  await press(page, 'Stop');
  await expectShown(page.getByRole('heading', { name: 'Watched, ended' }));
  await expectSaid(page, 'Its recording is not ready yet.');
  world.clock.advance('1s');
  await press(page, 'Play its recording');
  await expectShown(page.getByRole('heading', { name: 'Recording of Watched' }));
  await expectPlaying(page);
});

test('a recording plays by hls.js, which is loaded only then, or by the browser, or as MP4', async () => {
  const { page, world } = await openDashboard({ recordingDelay: 0, refuses: true });
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
  await page.route('**/hls.js', (route) => route.abort());
  expect(await play()).toMatch(/source\.mp4$/);
  await page.unroute('**/hls.js');
  await page.addInitScript(() => {
    Object.assign(window, { MediaSource: undefined, ManagedMediaSource: undefined });
  });
  expect(await play()).toMatch(/index\.m3u8$/);
});

test('media that has an origin of its own is played', async () => {
  const port = await freePort();
  const mediaOrigin = `http://127.0.0.1:${port}`;
  const { page, mock, world } = await openDashboard({ mediaOrigin });
  const media = await serve(mock, { port });
  onTestFinished(async () => {
    await page.close();
    await media.close();
  });
  const { id, playbackId } = await world.createStream({ name: 'Live' });
  await expectShown(page.getByText(`${mediaOrigin}/hls/${playbackId}/index.m3u8`, { exact: true }));
  await world.start(id);
  world.clock.advance('29s');
  await press(page, 'Watch live');
  await expectPlaying(page);
});
