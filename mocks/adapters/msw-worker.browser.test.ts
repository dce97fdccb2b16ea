import { describe, expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { type MswPackage, openTab, serveApp } from '../../tools/web-app.test-support.ts';
import type { Mock } from '../mock.ts';
import { expectSeek, look, startPlaying } from './video.test-support.ts';

const browser = useBrowser();

const source = `
import { createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';

const mock = createMock({ recordingDelay: 0 });
const worker = setupWorker(...handlers(mock, { baseUrl: 'https://livestream.test/api' }));
await worker.start({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' });
Object.assign(window, { mock });
`;

/** What the app assigns to its window for the tests. */
interface AppWindow {
  readonly mock: Mock;
}

/** The nightly tests run both majors. By day, the parity test and a recipe cover MSW 3. */
const majors = byNight<MswPackage[]>(['msw', 'msw-next'], ['msw']);

describe.each(majors)('with %s in a browser,', (msw) => {
  // Without crossorigin the range gets lost: https://github.com/mswjs/msw/issues/2552
  test.each([
    [null, false, 200],
    ['anonymous', true, 206],
  ])(
    'the MP4 of ten minutes plays and seeks, with crossorigin %s',
    async (value, range, status) => {
      const app = await serveApp(source, msw);
      onTestFinished(() => app.close());
      const context = await browser().newContext();
      onTestFinished(() => context.close());
      const { page } = await openTab(context, app);
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
        return found.map(({ request, response }) => ['range' in request.headers, response.status]);
      });
      expect(requests).toContainEqual([range, status]);
      expect(requests).not.toContainEqual([!range, expect.anything()]);
    },
  );
});
