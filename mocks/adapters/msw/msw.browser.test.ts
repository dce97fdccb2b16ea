import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../../tools/browser.test-support.ts';
import { byNight } from '../../../tools/nightly.test-support.ts';
import {
  type MswPackage,
  openTab,
  reload,
  serveApp,
  type Tab,
  type WebApp,
} from '../../../tools/web-app.test-support.ts';
import type { Mock } from '../../mock.ts';
import { expectSeek, look, startPlaying } from '../video.test-support.ts';

const browser = useBrowser();

const source = `
import { browserStore, createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';

const mock = createMock({ recordingDelay: 0, store: browserStore() });
const worker = setupWorker(...handlers(mock, { baseUrl: 'https://livestream.test/api' }));
await worker.start({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' });
Object.assign(window, { mock });
`;

/** What the app assigns to its window for the tests. */
interface AppWindow {
  readonly mock: Mock;
}

/** Sends a request from within the page; the JSON of the response. */
function send(page: Page, line: string, body?: object): Promise<unknown> {
  return page.evaluate(
    async ([method = '', path = '', json]) => {
      const response = await fetch(`https://livestream.test${path}`, {
        method,
        headers: { authorization: 'Bearer test-demo', 'content-type': 'application/json' },
        body: json ?? null,
      });
      return response.status === 204 ? undefined : response.json();
    },
    [...line.split(' '), JSON.stringify(body)],
  );
}

async function names(page: Page): Promise<string[]> {
  const streams = (await send(page, 'GET /api/stream')) as { name: string }[];
  return streams.map(({ name }) => name);
}

/** By day, the bytes that both majors answer in a browser and a recipe are compared for MSW 3. */
const majors = byNight<MswPackage[]>(['msw', 'msw-next'], ['msw']);

describe.each(majors)('with %s in a browser,', (msw) => {
  let app: WebApp;
  let context: BrowserContext;
  let tab: Tab;

  beforeAll(async () => {
    app = await serveApp(source, msw);
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    context = await browser().newContext();
    onTestFinished(() => context.close());
    tab = await openTab(context, app);
  });

  test('streams and the clock survive a reload, until the world is reset', async () => {
    const { page, complaints } = tab;
    await send(page, 'POST /api/stream', { name: 'kept' });
    await send(page, 'POST /_mock/clock', { advance: '10m' });
    const clock = await send(page, 'GET /_mock/clock');
    await reload(tab);
    expect(await names(page)).toEqual(['kept']);
    expect(await send(page, 'GET /_mock/clock')).toEqual(clock);
    await send(page, 'POST /_mock/reset');
    await reload(tab);
    expect(await names(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('two tabs see the changes of each other', async () => {
    const second = await openTab(context, app);
    expect(await names(second.page)).toEqual([]);
    await send(tab.page, 'POST /api/stream', { name: 'from the first' });
    await expect.poll(() => names(second.page)).toEqual(['from the first']);
    await send(second.page, 'POST /api/stream', { name: 'from the second' });
    await expect.poll(() => names(tab.page)).toEqual(['from the second', 'from the first']);
    await send(tab.page, 'POST /_mock/reset');
    await expect.poll(() => names(second.page)).toEqual([]);
  });

  // Without crossorigin the range gets lost: https://github.com/mswjs/msw/issues/2552
  test.each([
    [null, false, 200],
    ['anonymous', true, 206],
  ])(
    'the MP4 of ten minutes plays and seeks, with crossorigin %s',
    async (value, range, status) => {
      const { page } = tab;
      const mp4 = await page.evaluate(async () => {
        const world = await (window as unknown as AppWindow).mock.world();
        const { id } = await world.createStream({ name: 'recorded', record: true });
        return (await world.start(id, { duration: 600 })).mp4URL ?? '';
      });
      const video = page.locator('video');
      await video.evaluate((element: HTMLVideoElement, crossOrigin) => {
        element.crossOrigin = crossOrigin;
      }, value);
      await video.evaluate(startPlaying, mp4);
      expect(await look(page)).toMatchObject({ duration: 600, size: '1280x720' });
      await expectSeek(page, 480);
      const requests = await page.evaluate(async () => {
        const world = await (window as unknown as AppWindow).mock.world();
        const found = world.requests().filter(({ operation }) => operation === 'recordingMp4');
        return found.map(({ request, answer }) => ['range' in request.headers, answer.status]);
      });
      expect(requests).toContainEqual([range, status]);
      expect(requests).not.toContainEqual([!range, expect.anything()]);
    },
  );
});
