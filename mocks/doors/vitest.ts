import { setupServer } from 'msw/node';
import { test as base, type TestAPI } from 'vitest';
import { requireFaultsMet } from '../faults/unmatched.ts';
import type { World } from '../handle.ts';
import { handlers } from './msw.ts';
import { type StageOptions, setStage } from './stage.ts';

export type { StageOptions } from './stage.ts';

/** What {@link test} hands to a test. */
export interface MockFixtures {
  /** What the mock is made from; `test.override({ livestream: { … } })` says otherwise. */
  livestream: StageOptions;
  /** The test's own world, to steer and to look into. */
  mock: World;
  /** The MSW server before the mock: `server.use(…)` puts handlers of the test's own in front. */
  server: ReturnType<typeof setupServer>;
}

/** Base addresses that a test of this process is using. */
const taken = new Set<string>();

/**
 * vitest's `test`, with a mock of its own for every test: what the code under test sends to the base
 * URL by `fetch`, `http` or `XMLHttpRequest` is answered by it.
 *
 * @example
 * ```ts
 * import { test } from 'livestream-mock/vitest';
 * import { expect } from 'vitest';
 *
 * test.override({ livestream: { baseUrl: 'https://livestream.test/api' } });
 *
 * test('a new stream is in the world', async ({ mock }) => {
 *   await fetch('https://livestream.test/api/stream', {
 *     method: 'POST',
 *     headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
 *     body: JSON.stringify({ name: 'Harbour camera' }),
 *   });
 *   expect(mock.streams()).toMatchObject([{ name: 'Harbour camera' }]);
 *   expect(mock.requests).toMatchObject([{ operation: 'createStream' }]);
 * });
 * ```
 */
export const test: TestAPI<MockFixtures> = base.extend<
  MockFixtures & { stage: Awaited<ReturnType<typeof setStage>> }
>({
  livestream: {},
  stage: async ({ livestream }, use) => {
    const stage = await setStage(livestream);
    await use(stage);
    requireFaultsMet(stage.world);
  },
  mock: async ({ stage }, use) => use(stage.world),
  server: [
    async ({ stage: { mock, baseUrl } }, use) => {
      if (taken.has(baseUrl)) {
        throw new Error(
          `livestream: expected one test at a time at ${baseUrl}, got two; tests that run at once need a baseUrl each`,
        );
      }
      taken.add(baseUrl);
      const server = setupServer(...handlers(mock, { baseUrl }));
      server.listen({ onUnhandledRequest: 'bypass' });
      await use(server);
      server.close();
      taken.delete(baseUrl);
    },
    { auto: true },
  ],
});
