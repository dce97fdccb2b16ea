import { describe, expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { type MswPackage, openTab, serveApp } from '../../tools/web-app.test-support.ts';
import type { Fault } from '../faults/fault.ts';
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

/** Faults of every kind that matches a request for a list, and what a page gets: a status, or the name of an error. */
const faultsWithOutcome: readonly (readonly [Fault, number | string])[] = [
  [{ effect: 'status', status: 503 }, 503],
  [{ effect: 'answer', status: 200 }, 200],
  [{ effect: 'answer', status: 200, body: 'text' }, 200],
  [{ effect: 'answer', status: 204 }, 204],
  [{ effect: 'answer', status: 205 }, 205],
  [{ effect: 'answer', status: 304 }, 304],
  [{ effect: 'patch', fields: { name: 'patched' } }, 200],
  [{ effect: 'malformed' }, 200],
  [{ effect: 'reset' }, 'TypeError'],
  [{ effect: 'truncate' }, 'TypeError'],
  [{ effect: 'drip', bytesPerSecond: 1_000_000_000 }, 200],
];

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

  test('whatever the mock responds, the log causes no error in the page', async () => {
    const app = await serveApp(source, msw);
    onTestFinished(() => app.close());
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    const { page } = await openTab(context, app);
    const pageErrors: string[] = [];
    page.on('pageerror', ({ message }) => pageErrors.push(message));
    const logged: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'startGroupCollapsed') logged.push(message.text());
    });
    const outcomes = await page.evaluate(
      async (everyFault) => {
        const world = await (window as unknown as AppWindow).mock.world();
        const url = 'https://livestream.test/api/stream';
        const headers = { authorization: 'Bearer test-demo' };
        const found: (number | string)[] = [];
        for (const fault of everyFault) {
          world.addFault(fault);
          const outcome = await fetch(url, { headers })
            .then(async (response) => response.text().then(() => response.status))
            .catch(({ name }: Error) => name);
          found.push(outcome);
          world.removeFaults();
        }
        return found;
      },
      faultsWithOutcome.map(([fault]) => fault),
    );
    expect(outcomes).toEqual(faultsWithOutcome.map(([, outcome]) => outcome));
    await expect.poll(() => logged.length).toBe(faultsWithOutcome.length);
    expect(pageErrors).toEqual([]);
  });
});
