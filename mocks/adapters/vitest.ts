import { setupServer } from 'msw/node';
import { test as base, type TestAPI } from 'vitest';
import type { World } from '../service/testers/world-handle.ts';
import { handlers } from './msw.ts';
import { createTestMock, endTest, type TestMock, type TestMockOptions } from './test-mock.ts';
import {
  createUnhandled,
  type Unhandled,
  type UnhandledRequestStrategy,
} from './unhandled-requests.ts';

export type { TestMockOptions } from './test-mock.ts';

/** The options of a test's mock, and what happens to requests that are not for it. */
export interface VitestMockOptions extends TestMockOptions {
  /**
   * What happens to a request that is not below the base URL: with `warn` it goes to the network, and the first one to
   * each origin is named on standard error; with `error` it is refused, and the test fails; with `bypass` it goes to the
   * network without a word. Default: `warn`.
   */
  onUnhandledRequest?: UnhandledRequestStrategy;
}

/** What {@link test} hands to a test. */
export interface MockFixtures {
  /**
   * The options of the mock. Set them with `test.override({ livestream: { … } })`, which was `test.scoped` before
   * vitest 4.1: https://vitest.dev/guide/test-context
   */
  livestream: VitestMockOptions;
  /** The test's own world, to control and to inspect. */
  mock: World;
  /** The MSW server of the mock: `server.use(…)` adds handlers that come before the mock. */
  server: ReturnType<typeof setupServer>;
}

/** No strategy of MSW, as handlers decide. It is one option, by its names in MSW 2 and MSW 3. */
const bypassUnhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const;

/** Whether a test is running. Of two MSW servers in one process, only the later one answers. */
let isBusy = false;

/**
 * vitest's `test` with a mock for each test. The mock answers what the code under test sends to the base URL by `fetch`
 * or `http`. The tests must run one after another: of two MSW servers in a process, only the later one answers, and
 * when it closes, neither does (https://github.com/mswjs/msw/issues/474). So an MSW server of your own gets no requests
 * from the first such test to the end of the file.
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
 *   expect(mock.requests()).toMatchObject([{ operation: 'createStream' }]);
 * });
 * ```
 */
export const test: TestAPI<MockFixtures> = base.extend<
  MockFixtures & { livestreamMock: TestMock & { readonly unhandled: Unhandled } }
>({
  livestream: {},
  livestreamMock: async ({ livestream, task, onTestFinished }, use) => {
    const { onUnhandledRequest = 'warn', ...options } = livestream;
    const testMock = await createTestMock(options);
    const unhandled = createUnhandled(onUnhandledRequest, testMock.baseUrl);
    // What a fixture throws at its end, vitest reports twice.
    onTestFinished(() => {
      const hasFailed = task.result?.state === 'fail';
      endTest(testMock.world, hasFailed, unhandled.refusals);
    });
    await use({ ...testMock, unhandled });
    await testMock.report();
  },
  mock: async ({ livestreamMock }, use) => use(livestreamMock.world),
  server: [
    async ({ livestreamMock: { mock, baseUrl, unhandled } }, use) => {
      if (isBusy) {
        throw new Error(
          'livestream: expected one test at a time, got two at once; run them in sequence, or give them a server (serve of livestream-mock/node) with a key each',
        );
      }
      const server = setupServer(...handlers(mock, { baseUrl }), ...unhandled.handlers);
      isBusy = true;
      server.listen(bypassUnhandled);
      try {
        await use(server);
      } finally {
        server.close();
        isBusy = false;
      }
    },
    { auto: true },
  ],
});
