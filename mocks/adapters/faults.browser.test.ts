import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser } from '../../tools/browser.test-support.ts';
import type { Fault } from '../faults/fault.ts';
import { createMock } from '../mock.ts';
import {
  type IntegrationName,
  integrations,
  mockOptions,
  type OpenIntegration,
} from './integrations.test-support.ts';
import { unableInPlaywright } from './playwright-route.ts';

const page = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');

/** The effects that differ by integration: the head of the table on the page about faults. */
const faults: readonly Fault[] = [
  { effect: 'reset' },
  { effect: 'truncate' },
  { effect: 'drip', bytesPerSecond: 4000 },
];

/** The cells of the table, by integration. */
const documented = new Map(
  (page.match(/^\| .* \| .* \| .*(in pieces`|refused) \|$/gm) ?? []).map((row) => {
    const [name = '', ...cells] = row.slice(2, -2).split(' | ');
    return [name, cells.map((cell) => cell.replaceAll('`', ''))];
  }),
);

const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
const setting = { world: 'demo', clock: 'running' } as const;

test.each([...documented])('with %s, the page says what a client gets', async (name, cells) => {
  const { origin, send, page } = await open(name);
  const url = `${origin}/_mock/faults`;
  const outcomes: string[] = [];
  for (const fault of faults) {
    const body = JSON.stringify(fault);
    const response = await send(new Request(url, { method: 'POST', headers, body }));
    const { errors } = await response.json();
    if (errors !== undefined) {
      expect(errors).toEqual([expect.stringContaining(unableInPlaywright[fault.effect] ?? 'none')]);
      outcomes.push('refused');
      continue;
    }
    const list = `${origin}/api/stream`;
    outcomes.push(
      page === undefined
        ? await outcomeOf(() => send(new Request(list, { headers })))
        : await outcomeInPage(page, list),
    );
    await send(new Request(url, { method: 'DELETE', headers }));
  }
  expect(outcomes).toEqual(cells);
});

/** Opens an integration by its name on the page about faults. */
async function open(name: string): Promise<OpenIntegration> {
  if (name === 'mock.fetch') {
    return { origin: 'http://mock.test', send: createMock(mockOptions(setting)).fetch };
  }
  if (name !== 'serve, to Chromium') return integrations[name as IntegrationName].open(setting);
  const server = await integrations['serve, to Node'].open(setting);
  return { ...server, page: await (await openBrowser()).newPage() };
}

/** Describes in one line what happens to a request. It also runs in pages, so it uses nothing outside. */
async function outcomeOf(send: () => Promise<Response>): Promise<string> {
  const describe = (exception: unknown): string => {
    const { name, message, cause } = exception as Error & { cause?: { code?: string } };
    return `${name}: ${message}${cause?.code === undefined ? '' : ` (${cause.code})`}`;
  };
  const response = await send().catch(describe);
  if (typeof response === 'string') return response;
  if (response.type === 'error') return 'Response.error()';
  let pieces = 0;
  try {
    for await (const _ of response.body as unknown as AsyncIterable<Uint8Array>) pieces += 1;
  } catch (exception) {
    return `${response.status}, then ${describe(exception)}`;
  }
  return pieces > 2 ? `${response.status}, in pieces` : `${response.status}`;
}

/** The outcome of a page's `fetch`, and the browser's reason if the request failed. */
async function outcomeInPage(page: Page, url: string): Promise<string> {
  const failed = page.waitForEvent('requestfailed', { timeout: 0 }).catch(() => undefined);
  await page.evaluate(`globalThis.outcomeOf = ${outcomeOf}`);
  const outcome = await page.evaluate(
    ([address, sent]) => {
      const { outcomeOf: run } = globalThis as unknown as { outcomeOf: typeof outcomeOf };
      return run(() => fetch(address, { headers: sent }));
    },
    [url, headers] as const,
  );
  if (!outcome.includes('Error')) return outcome;
  return `${outcome} (${(await failed)?.failure()?.errorText})`;
}
