import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, inject, test } from 'vitest';
import { runPlaywright, type SpecResult } from '../../tools/playwright.test-support.ts';

let ran: Promise<SpecResult[]> | undefined;

/** Runs the specs in Playwright’s own runner: those that must fail, or the others. */
async function resultsOf(failing: boolean): Promise<SpecResult[]> {
  ran ??= runPlaywright(fileURLToPath(new URL('playwright-specs/', import.meta.url)), {
    env: { BROWSER_ADDRESS: inject('browserAddress') },
  });
  return (await ran).filter(({ file }) => (file === 'failures.spec.ts') === failing);
}

/** Milliseconds: the browsers of a run play in real time, for two minutes on a busy machine. */
const patience = 240_000;

test(
  'the specs pass in Playwright’s own runner, in two workers at once',
  async () => {
    const results = await resultsOf(false);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(12);
    expect(new Set(results.map(({ worker }) => worker))).toEqual(new Set([0, 1]));
  },
  patience,
);

test(
  'a failing test says why',
  async () => {
    const messages = (await resultsOf(true)).map(({ title, message }) => [
      title,
      stripVTControlCharacters(message),
    ]);
    expect(Object.fromEntries(messages)).toEqual({
      'a stream that nobody created': expect.stringContaining('"name": "Harbour camera"'),
      'a whole recording at once': expect.stringMatching(
        /expected a response of at most 67108864 bytes, got more from https:\/\/livestream\.test\/recordings\/.*source\.mp4/,
      ),
      'events that never end': expect.stringContaining(
        'expected a response that ends, got the events at https://livestream.test/_mock/events',
      ),
      'a fault that matched no request': expect.stringContaining(
        'fault 1 (status 503 on createStream) matched no request',
      ),
      'a request that waits on the clock': expect.stringContaining(
        'GET /api/stream still waits for fault 1 (delay 2s on any request); advance the clock',
      ),
      anything: expect.stringContaining(
        'baseUrl: expected a whole URL such as http://127.0.0.1:4100/api, got "livestream.test/api"',
      ),
    });
  },
  patience,
);
