import { setupServer } from 'msw/node';
import { test as base, type TestAPI } from 'vitest';
import type { World } from '../../service/world-handle.ts';
import { handlers } from '../msw/msw.ts';
import {
  createTestMock,
  requireFaultsMatched,
  type TestMock,
  type TestMockOptions,
} from '../test-mock.ts';

export type { TestMockOptions } from '../test-mock.ts';

/** What {@link test} hands to a test. */
export interface MockFixtures {
  /**
   * What the mock is made from; `test.override({ livestream: { … } })` says otherwise. Before vitest
   * 4.1 that is `test.scoped`.
   */
  livestream: TestMockOptions;
  /** The test's own world, to steer and to look into. */
  mock: World;
  /** The MSW server before the mock: `server.use(…)` puts handlers of the test's own in front. */
  server: ReturnType<typeof setupServer>;
}

/** What MSW 2 and MSW 3 call the same. */
const leaveOthersAlone = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const;

/** Whether a test of this process is on: of two MSW servers at once, one answers. */
let busy = false;

/**
 * vitest's `test`, with a mock of its own for every test: what the code under test sends to the base
 * URL by `fetch` or `http` is answered by it. Its tests run one after another. Of two MSW servers in a
 * process the later alone answers, and takes both down when it closes: another one gets no requests
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
export const test: TestAPI<MockFixtures> = base.extend<MockFixtures & { livestreamMock: TestMock }>(
  {
    livestream: {},
    livestreamMock: async ({ livestream }, use) => {
      const made = await createTestMock(livestream);
      await use(made);
      requireFaultsMatched(made.world);
    },
    mock: async ({ livestreamMock }, use) => use(livestreamMock.world),
    server: [
      async ({ livestreamMock: { mock, baseUrl } }, use) => {
        if (busy) {
          throw new Error(
            'livestream: expected one test at a time, got two at once; run them in sequence, or give them a server (serve of livestream-mock/node) with a key each',
          );
        }
        const server = setupServer(...handlers(mock, { baseUrl }));
        busy = true;
        server.listen(leaveOthersAlone);
        await use(server);
        server.close();
        busy = false;
      },
      { auto: true },
    ],
  },
);
