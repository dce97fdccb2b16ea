import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import type { World } from '../service/testers/world-handle.ts';
import { coveredBy } from './base-url.ts';
import { createBroadcasts } from './ingest/broadcasts.ts';
import { readOwnAddress } from './ingest/hosts.ts';
import { createWhip, isWhip } from './ingest/whip.ts';
import { fulfillRoute, unableInPlaywright } from './playwright-route.ts';
import { createTestMock, endTest, type TestMockOptions } from './test-mock.ts';

export type { TestMockOptions } from './test-mock.ts';

/** The options of a test's mock, and where it receives the media of pages that go live. */
export interface PlaywrightMockOptions extends TestMockOptions {
  /**
   * The address on which media is received. Default: `127.0.0.1`. Firefox does not connect to that, so it needs another
   * address of this machine, or `0.0.0.0` for all of them.
   */
  whipHost?: string;
}

/** What {@link test} hands to a test. */
export interface MockFixtures {
  /** The options of the mock. Set them with `test.use({ livestream: { … } })`. */
  livestream: PlaywrightMockOptions;
  /** The test's own world, to control and to inspect. */
  mock: World;
}

/**
 * Playwright's `test` with a mock for each test. The mock answers what the pages of the test's `context` send to the
 * base URL, and lets them go live by WHIP at `{origin}/webrtc/{streamKey}`, with the package werift. It does not answer
 * the `request` fixture or contexts that a test opens itself. Service workers are blocked, because Playwright does not
 * see the requests that they answer or send: https://playwright.dev/docs/service-workers
 *
 * @example
 * ```ts
 * import { expect } from '@playwright/test';
 * import { test } from 'livestream-mock/playwright';
 *
 * test.use({ livestream: { baseUrl: 'https://livestream.test/api', world: 'demo' } });
 *
 * test('the page lists the streams', async ({ page, mock }) => {
 *   const count = await page.evaluate(async () => {
 *     const headers = { authorization: 'Bearer test-demo' };
 *     const response = await fetch('https://livestream.test/api/stream', { headers });
 *     return (await response.json()).length;
 *   });
 *   expect(count).toBe(mock.streams().length);
 * });
 * ```
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<MockFixtures>({
  livestream: [{}, { option: true }],
  serviceWorkers: 'block',
  mock: [
    async ({ context, baseURL, livestream }, use, testInfo) => {
      const { whipHost = '127.0.0.1', ...mockOptions } = livestream;
      const options = resolveBaseUrl(mockOptions, baseURL);
      const testMock = await createTestMock(options, unableInPlaywright);
      const { mock, world, baseUrl } = testMock;
      const broadcasts = createBroadcasts(mock, (_, reason) => {
        process.stderr.write(`livestream: WHIP refused: ${reason}\n`);
      });
      const whip = createWhip(broadcasts, readOwnAddress('whipHost', whipHost));
      const { origin } = new URL(baseUrl);
      await context.route(coveredBy(mock, baseUrl), (route) => fulfillRoute(mock.fetch, route));
      await context.route(
        (url) => url.origin === origin && isWhip(url.href),
        // The app may have its own page there.
        (route) =>
          route.request().method() === 'GET' ? route.fallback() : fulfillRoute(whip, route),
      );
      await use(world);
      await broadcasts.close();
      await testMock.report();
      endTest(world, testInfo.errors.length > 0);
    },
    { auto: true },
  ],
});

/** Resolves a base URL that is a path, if Playwright has a `baseURL`. */
function resolveBaseUrl(options: TestMockOptions, pageUrl: string | undefined): TestMockOptions {
  const { baseUrl } = options;
  if (pageUrl === undefined || baseUrl?.startsWith('/') !== true) return options;
  return { ...options, baseUrl: new URL(baseUrl, pageUrl).href };
}
