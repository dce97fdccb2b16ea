import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type Route,
  type TestType,
} from '@playwright/test';
import type { World } from '../handle.ts';
import type { Mock } from '../mock.ts';
import { coveredBy } from './address.ts';
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
      const { mock, world, baseUrl } = await setStage(livestream);
      await context.route(coveredBy(mock, baseUrl), (route) => answerRoute(mock, route));
      await use(world);
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
  const body = asked.postDataBuffer();
  const answer = await mock.fetch(
    new Request(asked.url(), {
      method: asked.method(),
      headers,
      ...(body !== null && { body: new Uint8Array(body) }),
    }),
  );
  if (answer.status === 0) return route.abort('connectionreset');
  const hasOpenRange = /^bytes=\d+-$/.test(headers.get('range') ?? '');
  const sent = hasOpenRange ? cutRange(answer) : answer;
  await route.fulfill({
    status: sent.status,
    headers: Object.fromEntries(sent.headers),
    body: Buffer.from(await sent.arrayBuffer()),
  });
}

/** A part's first bytes, and headers that say so: a server may send less than it was asked for. */
function cutRange(answer: Response): Response {
  const [, first, last, length] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  const end = Number(first) + openRangeLimit;
  if (answer.body === null || !(Number(last) >= end)) return answer;
  const headers = new Headers(answer.headers);
  headers.set('content-range', `bytes ${first}-${end - 1}/${length}`);
  headers.set('content-length', String(openRangeLimit));
  return new Response(answer.body.pipeThrough(firstBytes(openRangeLimit)), {
    status: answer.status,
    headers,
  });
}

/** Lets so many bytes through, and then ends what it reads from. */
function firstBytes(count: number): TransformStream<Uint8Array, Uint8Array> {
  let left = count;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
