import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runSpecs } from '../../tools/vitest.test-support.ts';

let ran: ReturnType<typeof runSpecs> | undefined;

/** What the end of a spec says, besides that it took too long. */
async function messageOf(title: string): Promise<string> {
  ran ??= runSpecs(fileURLToPath(new URL('vitest-specs', import.meta.url)));
  const result = (await ran).find((one) => one.title === title);
  const [last = ''] = result?.failureMessages.at(-1)?.split('\n    at ') ?? [];
  return last;
}

const stopped =
  'advance the clock (mock.clock.advance), or give the mock a running one (now: Date.now)';

test.each([
  [
    'a delayed request',
    `Error: GET /api/stream still waits for fault 1 (delay 2s on any request); ${stopped}`,
  ],
  [
    'a response that is sent slowly',
    `Error: GET /api/stream still waits for fault 1 (drip on listStreams, bytesPerSecond 1); ${stopped}`,
  ],
  [
    'a long delay',
    'Error: GET /api/stream still waits for fault 1 (delay 1h on any request); advance the clock (mock.clock.advance)',
  ],
  [
    'a request to another address',
    "Error: GET https://livestream.test/v2/stream is not below the base URL https://livestream.test/api, so it was refused; set the option baseUrl to the address that your code uses, or onUnhandledRequest to 'bypass' if the request is meant for another service",
  ],
])('%s fails, and the test says why', async (title, message) => {
  expect(await messageOf(title)).toBe(message);
});

test.each(['a delayed request that nobody waits for', 'an asset of another address'])(
  '%s fails no test',
  async (title) => {
    expect(await messageOf(title)).toBe('');
  },
);
