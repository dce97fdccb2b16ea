import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { serve } from '../adapters/node/node.ts';
import { createMock } from '../mock.ts';
import type { Fault } from './effects/effects.ts';

const browser = useBrowser();

/** A served recording of 20 s that a fault meets. */
async function serveRecording(fault: Fault): Promise<string> {
  const mock = createMock({ recordingDelay: 0, faults: [fault] });
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const { recordingUrl = '' } = await world.start(id, { duration: 20 });
  return recordingUrl;
}

/** A page that has begun to load a video. */
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

test('a recording whose playlist has no end is live to a player', async () => {
  const page = await load(await serveRecording({ effect: 'playlist-endless' }));
  await expect.poll(() => look(page)).toMatchObject({ duration: 'Infinity' });
});

test('Chromium’s own player gives a recording up that lacks a segment', async () => {
  const page = await load(await serveRecording({ effect: 'segment-missing', segment: 1 }));
  await expect
    .poll(() => look(page), { timeout: 15_000 })
    .toMatchObject({ duration: '20', error: expect.any(Number) });
  expect((await look(page)).time).toBeLessThanOrEqual(3.3);
});

test('one segment is missing, and the others are there', async () => {
  const url = await serveRecording({ effect: 'segment-missing', segment: 1 });
  const playlist = await (await fetch(url)).text();
  const names = playlist.match(/^\S+\.m4s$|^\S+\.mp4$/gm) ?? [];
  const statuses = names.map(async (name) => (await fetch(new URL(name, url))).status);
  expect(await Promise.all(statuses)).toEqual(names.map((_, index) => (index === 1 ? 404 : 200)));
  expect(names.length).toBeGreaterThan(3);
});

test('a playlist that a client has kept is not said to be unchanged', async () => {
  const url = await serveRecording({ effect: 'playlist-endless' });
  const answer = await fetch(url, { headers: { 'if-none-match': '*' } });
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
  expect(await answer.text()).not.toContain('#EXT-X-ENDLIST');
});
