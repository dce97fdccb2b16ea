import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Runs in the page: resolves when the video has begun to play, rejects with why it cannot. */
export function startPlaying(element: HTMLElement | SVGElement, url: string): Promise<void> {
  const video = element as HTMLVideoElement;
  video.src = url;
  return video.play().catch((error: Error) => {
    throw new Error(`${error.message}: ${video.error?.message}`);
  });
}

/** Reads the state of the page's video. */
export function look(page: Page) {
  return page.locator('video').evaluate((element) => {
    const { currentTime, duration, videoWidth, videoHeight, ended, error } =
      element as HTMLVideoElement;
    const size = `${videoWidth}x${videoHeight}`;
    return { currentTime, duration, size, ended, error: error?.message };
  });
}

/** Waits until the video has played on by half a second. */
export async function expectProgress(page: Page): Promise<void> {
  const { currentTime } = await look(page);
  await expect
    .poll(async () => (await look(page)).currentTime, { timeout: 10_000, interval: 50 })
    .toBeGreaterThan(currentTime + 0.5);
}

/** Seeks, and returns the position that the video has then. */
function seek(page: Page, seconds: number): Promise<number> {
  return page.locator('video').evaluate(async (element, target) => {
    const video = element as HTMLVideoElement;
    const done = new Promise((resolve) => {
      video.addEventListener('seeked', resolve, { once: true });
    });
    video.currentTime = target;
    await done;
    return video.currentTime;
  }, seconds);
}

/** Seeks, and waits until the video plays on from there. */
export async function expectSeek(page: Page, seconds: number): Promise<void> {
  expect(await seek(page, seconds)).toBeCloseTo(seconds, 1);
  await expectProgress(page);
}
