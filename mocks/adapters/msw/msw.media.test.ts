import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../../tools/browser.test-support.ts';
import { openTab, serveApp, type WebApp } from '../../../tools/web-app.test-support.ts';
import type { World } from '../../service/world-handle.ts';
import { expectSeek, look, startPlaying } from '../video.test-support.ts';
import { mswMajors } from './majors.test-support.ts';

const browser = useBrowser();

const source = `
import { createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';

const mock = createMock({ recordingDelay: 0 });
const worker = setupWorker(...handlers(mock, { baseUrl: 'https://livestream.test/api' }));
await worker.start({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' });
Object.assign(window, { world: await mock.world() });
`;

/** What the app assigns to its window for the tests. */
interface AppWindow {
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

  /** Records a session; the URL of its MP4. */
  function record(page: Page, duration: number): Promise<string> {
    return page.evaluate(async (seconds) => {
      const { world } = window as unknown as AppWindow;
      const { id } = await world.createStream({ name: 'recorded', record: true });
      return (await world.start(id, { duration: seconds })).mp4URL ?? '';
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
    const mp4 = await record(page, 600);
    const video = page.locator('video');
    await video.evaluate((element, value) => {
      (element as HTMLVideoElement).crossOrigin = value;
    }, crossOrigin);
    await video.evaluate(startPlaying, mp4);
    expect(await look(page)).toMatchObject({ duration: 600, size: '1280x720' });
    await expectSeek(page, 480);
    expect(await requestsForMp4(page)).toEqual(requests);
  });
});
