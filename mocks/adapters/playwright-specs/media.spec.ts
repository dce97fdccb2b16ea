import { expect } from '@playwright/test';
import type { World } from 'livestream-mock';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp } from './app.test-support.ts';

test.use({ livestream: { baseUrl, recordingDelay: 0 } });
test.beforeEach(({ page }) => openApp(page));

/** Records ten hours, and returns the URL of the MP4. */
async function record(mock: World): Promise<string> {
  const { id } = await mock.createStream({ name: 'recorded', record: true });
  return (await mock.start(id, { duration: 36_000 })).mp4URL ?? '';
}

test('the MP4 of ten hours plays, and seeks far', async ({ page, mock }) => {
  const url = await record(mock);
  const video = page.locator('video');
  const duration = await video.evaluate(async (element: HTMLVideoElement, src) => {
    element.src = src;
    await element.play();
    element.currentTime = 30_000;
    return element.duration;
  }, url);
  expect(duration).toBeCloseTo(36_000, 2);
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(30_000.5);
  const parts = mock.requests().filter(({ operation }) => operation === 'recordingMp4');
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.every(({ response }) => response.status === 206)).toBe(true);
});

test('a range without an end is cut short, and its headers say so', async ({ page, mock }) => {
  const seen = await page.evaluate(
    async (url) => {
      const { status, headers, body } = await fetch(url, { headers: { range: 'bytes=1000000-' } });
      await body?.cancel();
      return [status, headers.get('content-range'), headers.get('content-length')];
    },
    await record(mock),
  );
  expect(seen).toEqual([206, 'bytes 1000000-5194303/542374983', '4194304']);
});

test.describe('with a service that redirects', () => {
  test.use({ livestream: { baseUrl, recordingDelay: 0, variant: 'media-redirected' } });

  test('a page gets what is at the end of the redirects', async ({ page, mock }) => {
    const url = `${await record(mock)}?moved=twice`;
    const status = await page.evaluate(async (address) => {
      const response = await fetch(address, { headers: { range: 'bytes=0-99' } });
      return [response.status, (await response.arrayBuffer()).byteLength];
    }, url);
    expect(status).toEqual([206, 100]);
  });
});
