import { expect, type Page } from '@playwright/test';
import type { Session, World } from 'livestream-mock';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp } from '../app.test-support.ts';

const tenHours = 36_000;

test.use({ livestream: { baseUrl, recordingDelay: 0 } });
test.beforeEach(({ page }) => openApp(page));

test('the MP4 of ten hours plays, and seeks far', async ({ page, mock }) => {
  const { mp4URL = '' } = await record(mock);
  await page.evaluate(play, mp4URL);
  await expectProgressAfter(page, 30_000);
  const parts = mock.requests().filter(({ operation }) => operation === 'recordingMp4');
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.every(({ answer }) => answer.status === 206)).toBe(true);
});

async function record(mock: World): Promise<Session> {
  const { id } = await mock.createStream({ name: 'recorded', record: true });
  return mock.start(id, { duration: tenHours });
}

/** Runs in the page: resolves when the video has begun to play. */
async function play(url: string): Promise<void> {
  const video = document.querySelector('video');
  if (video === null) return;
  video.src = url;
  await video.play();
}

/** Seeks, and waits until the video has played on from there. */
async function expectProgressAfter(page: Page, seconds: number): Promise<void> {
  const video = page.locator('video');
  const duration = () => video.evaluate((element) => (element as HTMLVideoElement).duration);
  await expect.poll(duration).toBeCloseTo(tenHours, 2);
  await video.evaluate((element, target) => {
    (element as HTMLVideoElement).currentTime = target;
  }, seconds);
  await expect
    .poll(() => video.evaluate((element) => (element as HTMLVideoElement).currentTime))
    .toBeGreaterThan(seconds + 0.5);
}
