import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Runs in the page: resolves when the video has begun to play, and rejects with the reason if it cannot. */
export function startPlaying(element: HTMLElement | SVGElement, url: string): Promise<void> {
  const video = element as HTMLVideoElement;
  video.src = url;
  return video.play().catch((exception: Error) => {
    throw new Error(`${exception.message}: ${video.error?.message}`);
  });
}

/** Reads the state of the page's video. */
export function look(page: Page) {
  return page.locator('video').evaluate((element) => {
    const { currentTime, duration, videoWidth, videoHeight } = element as HTMLVideoElement;
    return { currentTime, duration, size: `${videoWidth}x${videoHeight}` };
  });
}

/** Waits until the video has played for another half second, from where it is or from a moment. */
export async function expectProgress(page: Page, from?: number): Promise<void> {
  const begin = from ?? (await look(page)).currentTime;
  await expect
    .poll(async () => (await look(page)).currentTime, { timeout: 10_000, interval: 50 })
    .toBeGreaterThan(begin + 0.5);
}

/** Seeks, and waits until the video plays on from there. */
export async function expectSeek(page: Page, seconds: number): Promise<void> {
  await page.locator('video').evaluate((video, target) => {
    (video as HTMLVideoElement).currentTime = target;
  }, seconds);
  await expectProgress(page, seconds);
}
