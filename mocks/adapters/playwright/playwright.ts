import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import type { World } from '../../service/world-handle.ts';
import { coveredBy } from '../address.ts';
import { unableInPlaywright } from '../fault-support.ts';
import { createTestMock, requireFaultsMatched, type TestMockOptions } from '../test-mock.ts';
import { answerRoute } from './playwright-route.ts';

export type { TestMockOptions } from '../test-mock.ts';

/** What {@link test} hands to a test. */
export interface MockFixtures {
  /** What the mock is made from; `test.use({ livestream: { … } })` says otherwise. */
  livestream: TestMockOptions;
  /** The test's own world, to steer and to look into. */
  mock: World;
}

/**
 * Playwright's `test`, with a mock of its own for every test: what the pages of the test's `context`
 * send to the base URL is answered by it. Service workers are blocked, as requests that they answer
 * or send are out of Playwright's sight; so are those of the `request` fixture and of contexts that a
 * test opens itself.
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
 *     const answer = await fetch('https://livestream.test/api/stream', { headers });
 *     return (await answer.json()).length;
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
    async ({ context, baseURL, livestream }, use) => {
      const options = resolveBaseUrl(livestream, baseURL);
      const { mock, world, baseUrl } = await createTestMock(options, unableInPlaywright);
      await context.route(coveredBy(mock, baseUrl), (route) => answerRoute(mock, route));
      await use(world);
      requireFaultsMatched(world);
    },
    { auto: true },
  ],
});

/** A base URL may be a path where Playwright knows from which address it goes on. */
function resolveBaseUrl(options: TestMockOptions, page: string | undefined): TestMockOptions {
  const { baseUrl } = options;
  if (page === undefined || baseUrl?.startsWith('/') !== true) return options;
  return { ...options, baseUrl: new URL(baseUrl, page).href };
}
