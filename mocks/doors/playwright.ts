import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type Route,
  type TestType,
} from '@playwright/test';
import { requireFaultsMet } from '../faults/unmatched.ts';
import type { World } from '../handle.ts';
import type { Mock } from '../mock.ts';
import { coveredBy } from './address.ts';
import { unableInPlaywright } from './fault-support.ts';
import { type StageOptions, setStage } from './stage.ts';

export type { StageOptions } from './stage.ts';

/** What {@link test} hands to a test. */
export interface MockFixtures {
  /** What the mock is made from; `test.use({ livestream: { … } })` says otherwise. */
  livestream: StageOptions;
  /** The test's own world, to steer and to look into. */
  mock: World;
}

/**
 * Playwright's `test`, with a mock of its own for every test: what the test's pages send to the base
 * URL is answered by it. Service workers are blocked, as requests that they answer or send
 * are out of Playwright's sight.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MockFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<MockFixtures>({
  livestream: [{}, { option: true }],
  serviceWorkers: 'block',
  mock: [
    async ({ context, livestream }, use) => {
      const { mock, world, baseUrl } = await setStage(livestream, unableInPlaywright);
      await context.route(coveredBy(mock, baseUrl), (route) => answerRoute(mock, route));
      await use(world);
      requireFaultsMet(world);
    },
    { auto: true },
  ],
});

/** Bytes that are sent at most for a range that has no end: they are in memory all at once. */
const openRangeLimit = 4 * 1024 * 1024;

/** Answers an intercepted request by a mock. */
export async function answerRoute(mock: Mock, route: Route): Promise<void> {
  const asked = route.request();
  const headers = new Headers(await asked.allHeaders());
  const range = /^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1];
  if (range !== undefined)
    headers.set('range', `bytes=${range}-${Number(range) + openRangeLimit - 1}`);
  const body = asked.postDataBuffer();
  const answer = await mock.fetch(
    new Request(asked.url(), {
      method: asked.method(),
      headers,
      ...(body !== null && { body: new Uint8Array(body) }),
    }),
  );
  if (answer.status === 0) return route.abort('connectionreset');
  await route.fulfill({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  });
}
