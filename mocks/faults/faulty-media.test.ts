import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { serve } from '../adapters/node/node.ts';
import { createMock } from '../mock.ts';
import type { Fault } from './fault.ts';

const browser = useBrowser();

/** Serves a recording of 20 s with a fault; the URL of its playlist. */
async function serveRecording(fault: Fault): Promise<string> {
  const mock = createMock({ recordingDelay: 0, faults: [fault] });
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const { recordingUrl = '' } = await world.start(id, { duration: 20 });
  return recordingUrl;
}

/** Opens a page that loads a video. */
async function load(url: string): Promise<Page> {
  const page = await browser().newPage();
  onTestFinished(() => page.close());
  await page.setContent(`<video muted autoplay src="${url}"></video>`);
  return page;
}

function look(page: Page): Promise<{ duration: string; time: number; error: number | undefined }> {
  return page.locator('video').evaluate((element) => {
    const { duration, currentTime, error } = element as HTMLVideoElement;
    return { duration: String(duration), time: currentTime, error: error?.code };
  });
}

test('a player takes a recording whose playlist has no end for a live stream', async () => {
  const page = await load(await serveRecording({ effect: 'playlist-endless' }));
  await expect.poll(() => look(page)).toMatchObject({ duration: 'Infinity' });
});

test('Chromium’s own player stops with an error at a missing segment', async () => {
  const page = await load(await serveRecording({ effect: 'segment-missing', segment: 1 }));
  await expect
    .poll(() => look(page), { timeout: 15_000 })
    .toMatchObject({ duration: '20', error: expect.any(Number) });
  expect((await look(page)).time).toBeLessThanOrEqual(3.3);
});

test('segment-missing removes one segment and leaves the others', async () => {
  const url = await serveRecording({ effect: 'segment-missing', segment: 1 });
  const playlist = await (await fetch(url)).text();
  const names = playlist.match(/^\S+\.m4s$|^\S+\.mp4$/gm) ?? [];
  const statuses = names.map(async (name) => (await fetch(new URL(name, url))).status);
  expect(await Promise.all(statuses)).toEqual(names.map((_, index) => (index === 1 ? 404 : 200)));
  expect(names.length).toBeGreaterThan(3);
});

test('playlist-endless sends the changed playlist to a client that has cached the original', async () => {
  const url = await serveRecording({ effect: 'playlist-endless' });
  const response = await fetch(url, { headers: { 'if-none-match': '*' } });
  expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
  expect(await response.text()).not.toContain('#EXT-X-ENDLIST');
});
