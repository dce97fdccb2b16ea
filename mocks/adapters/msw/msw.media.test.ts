import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../../tools/browser.test-support.ts';
import { openTab, serveApp, type WebApp } from '../../../tools/web-app.test-support.ts';
import type { World } from '../../service/world-handle.ts';
import { expectProgress, expectSeek, look, startPlaying } from '../video.test-support.ts';
import { mswMajors } from './majors.test-support.ts';

const browser = useBrowser();

const source = `
import Hls from 'hls.js';
import { createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';

const made = { bytes: 0 };
const mock = createMock({ recordingDelay: 0 });
const counted = {
  ...mock,
  async fetch(request) {
    const response = await mock.fetch(request);
    const count = new TransformStream({
      transform(chunk, controller) {
        made.bytes += chunk.length;
        controller.enqueue(chunk);
      },
    });
    return response.body === null ? response : new Response(response.body.pipeThrough(count), response);
  },
};
const worker = setupWorker(...handlers(counted, { baseUrl: 'https://livestream.test/api' }));
await worker.start({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' });
Object.assign(window, { Hls, made, world: await mock.world() });
`;

/** What the app assigns to its window for the tests. */
interface AppWindow {
  readonly Hls: typeof import('hls.js').default;
  readonly made: { readonly bytes: number };
  readonly world: World;
}

describe.each(mswMajors)('with the service worker of %s,', (_, msw) => {
  let app: WebApp;
  beforeAll(async () => {
    app = await serveApp(source, msw);
  });
  afterAll(() => app.close());

  async function openPage(): Promise<Page> {
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    return (await openTab(context, app)).page;
  }

  /** Records a session; the URLs of its playlist and its MP4. */
  function record(page: Page, duration: number): Promise<[hls: string, mp4: string]> {
    return page.evaluate(async (seconds) => {
      const { world } = window as unknown as AppWindow;
      const { id } = await world.createStream({ name: 'recorded', record: true });
      const { recordingUrl = '', mp4URL = '' } = await world.start(id, { duration: seconds });
      return [recordingUrl, mp4URL];
    }, duration);
  }

  /** Whether the requests for an MP4 had a range, and the statuses of their responses. */
  function requestsForMp4(page: Page): Promise<{ ranges: boolean[]; statuses: number[] }> {
    return page.evaluate(() => {
      const { world } = window as unknown as AppWindow;
      const found = world.requests().filter(({ operation }) => operation === 'recordingMp4');
      const ranges = found.map(({ request }) => 'range' in request.headers);
      const statuses = found.map(({ answer }) => answer.status);
      return { ranges: [...new Set(ranges)], statuses: [...new Set(statuses)] };
    });
  }

  // Without crossorigin the range gets lost: https://github.com/mswjs/msw/issues/2552
  test.each([
    { crossOrigin: null, requests: { ranges: [false], statuses: [200] } },
    { crossOrigin: 'anonymous', requests: { ranges: [true], statuses: [206] } },
  ])('the MP4 of ten minutes plays and seeks, with crossorigin $crossOrigin', async (row) => {
    const { crossOrigin, requests } = row;
    const page = await openPage();
    const [, mp4] = await record(page, 600);
    const video = page.locator('video');
    await video.evaluate((element, value) => {
      (element as HTMLVideoElement).crossOrigin = value;
    }, crossOrigin);
    await video.evaluate(startPlaying, mp4);
    expect(await look(page)).toMatchObject({ duration: 600, size: '1280x720' });
    await expectSeek(page, 480);
    expect(await requestsForMp4(page)).toEqual(requests);
  });

  test('the HLS recording of ten hours plays and seeks by hls.js', async () => {
    const page = await openPage();
    const [hls] = await record(page, 36_000);
    await page.locator('video').evaluate((element, address) => {
      const { Hls } = window as unknown as AppWindow;
      const player = new Hls();
      player.loadSource(address);
      player.attachMedia(element as HTMLVideoElement);
      return new Promise((resolve) => player.once(Hls.Events.MANIFEST_PARSED, resolve));
    }, hls);
    await page.locator('video').evaluate((element) => (element as HTMLVideoElement).play());
    await expectProgress(page);
    await expectSeek(page, 28_800);
    expect((await look(page)).duration).toBeCloseTo(36_000, 2);
  });

  test("Chromium's own player cannot play HLS", async () => {
    const page = await openPage();
    const [hls] = await record(page, 600);
    const playing = page.locator('video').evaluate(startPlaying, hls);
    await expect(playing).rejects.toThrow('DEMUXER_ERROR_COULD_NOT_PARSE');
  });

  test('the MP4 of ten hours plays and seeks', async () => {
    const page = await openPage();
    const [, mp4] = await record(page, 36_000);
    const video = page.locator('video');
    await video.evaluate((element) => {
      (element as HTMLVideoElement).crossOrigin = 'anonymous';
    });
    await video.evaluate(startPlaying, mp4);
    await expectSeek(page, 30_000);
  });

  test('of ten hours of MP4, little more is made than is read', async () => {
    const page = await openPage();
    const [, mp4] = await record(page, 36_000);
    const { length, made } = await page.evaluate(async (address) => {
      const response = await fetch(address);
      const reader = response.body?.getReader();
      for (let bytes = 0; bytes < 2 ** 20; ) bytes += (await reader?.read())?.value?.length ?? 0;
      void reader?.cancel();
      const { made } = window as unknown as AppWindow;
      return { length: Number(response.headers.get('content-length')), made: made.bytes };
    }, mp4);
    expect(length).toBeGreaterThan(5e8);
    expect(made).toBeGreaterThanOrEqual(2 ** 20);
    expect(made).toBeLessThan(2 ** 23);
  });
});
