import {
  type Request as AskedRequest,
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
    async ({ context, livestream }, use) => {
      const { mock, world, baseUrl } = await setStage(livestream, unableInPlaywright);
      await context.route(coveredBy(mock, baseUrl), (route) => answerRoute(mock, route));
      await use(world);
      requireFaultsMet(world);
    },
    { auto: true },
  ],
});

/** Bytes of a part that are sent at once. */
const mostOfPart = 4 * 1024 * 1024;
/** Bytes of an answer that must be sent whole. */
const mostOfWhole = 64 * 1024 * 1024;

/**
 * Answers an intercepted request. Playwright takes an answer only whole, in memory, and a recording
 * may have gigabytes. So a part is cut short, which it may be (RFC 9110, 15.3.7): browsers ask on.
 */
export async function answerRoute(mock: Mock, route: Route): Promise<void> {
  const asked = route.request();
  const answer = await mock.fetch(toRequest(asked));
  if (answer.status === 0) return route.abort('connectionreset');
  const length = Number(answer.headers.get('content-length'));
  if (answer.body !== null && answer.status !== 206 && length > mostOfWhole) {
    await Promise.all([answer.body.cancel(), route.abort()]);
    throw new Error(
      `livestream: expected a request with a range, got one for all ${length} bytes of ${asked.url()}; at most ${mostOfWhole} are sent at once`,
    );
  }
  const body = await readBytes(answer, answer.status === 206 ? mostOfPart : mostOfWhole);
  if (answer.status === 206) cutRange(answer.headers, body.length);
  await route.fulfill({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body,
  });
}

function toRequest(asked: AskedRequest): Request {
  const body = asked.postDataBuffer();
  return new Request(asked.url(), {
    method: asked.method(),
    headers: asked.headers(),
    ...(body !== null && { body: new Uint8Array(body) }),
  });
}

/** The first bytes of an answer, `most` of them; what follows is not computed. */
async function readBytes({ body }: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

/** Makes the headers of a part tell the bytes that are sent of it. */
function cutRange(headers: Headers, length: number): void {
  const [, start, whole] =
    /^bytes (\d+)-\d+(\/\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  headers.set('content-range', `bytes ${start}-${Number(start) + length - 1}${whole}`);
  headers.set('content-length', String(length));
}
