import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock.ts';
import { serve } from '../node.ts';
import { recordAndWatch, watchNewest } from './scenario.test-support.ts';
import { type Site, startSite } from './site.test-support.ts';

/** Nobody is there: only a door can answer. */
const nowhere = 'https://livestream.test';

let browser: Browser;
/** With the service worker. */
let mocked: Site;
/** With nothing of the mock in it. */
let plain: Site;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: inject('programs').browser,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  });
  mocked = await startSite('worker', nowhere);
  plain = await startSite('serve', nowhere);
});

afterAll(() => Promise.all([browser.close(), mocked.close(), plain.close()]));

/** A page of its own, with a storage of its own. */
async function openPage({ origin }: Site): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(origin);
  return page;
}

test('over HTTP a stream is made, recorded and watched', async () => {
  const mock = createMock({ world: 'demo', now: Date.now });
  // Whose pages may stand in for an encoder is known once the app, built for the server, is up.
  const controlOrigins: string[] = [];
  const server = await serve(mock, { controlOrigins });
  onTestFinished(() => server.close());
  const site = await startSite('serve', server.origin);
  onTestFinished(() => site.close());
  controlOrigins.push(site.origin);
  const page = await openPage(site);
  await recordAndWatch(page);
  const world = await mock.world();
  expect(world.streams()[0]).toMatchObject({ name: 'Harbour camera', record: true });
});

test('a service worker answers where there is no server, and state survives a reload', async () => {
  const page = await openPage(mocked);
  await recordAndWatch(page);
  await page.reload();
  await watchNewest(page);
});

test('a refused request is shown in the words of the service, and the switch goes back', async () => {
  const page = await openPage(mocked);
  await page.getByRole('link', { name: 'live' }).click();
  const record = page.getByRole('switch');
  await record.click();
  await page.getByRole('alert').filter({ hasText: 'expected a stream that is not live' }).waitFor();
  expect(await record.isChecked()).toBe(true);
});

test('a service that is not there is said so', async () => {
  const page = await openPage(plain);
  await page
    .getByRole('alert')
    .filter({ hasText: `No answer from ${nowhere}/api` })
    .waitFor();
});

test('axe finds no violation, in light and in dark', async () => {
  const page = await openPage(mocked);
  await recordAndWatch(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('alert').filter({ hasText: 'expected' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await page.evaluate<AxeResults>(`${axe.source}; axe.run()`);
    expect(violations, colorScheme).toEqual([]);
    expect(passes.map(({ id }) => id)).toContain('color-contrast');
  }
});

test('a build without the mock holds nothing of it', async () => {
  const names = await readdir(plain.folder, { recursive: true });
  expect(names).not.toContain('mockServiceWorker.js');
  const scripts = names.filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(0);
  for (const name of scripts) {
    expect(await readFile(join(plain.folder, name), 'utf8'), name).not.toMatch(
      /msw|livestream-mock/i,
    );
  }
});

test('the same walk is a test of Playwright, by its door', async () => {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const run = promisify(execFile)(process.execPath, [cli, 'test', '--reporter=line'], {
    cwd: import.meta.dirname,
    env: { ...process.env, APP_URL: plain.origin, CHROMIUM: inject('programs').browser },
  });
  await expect(run).resolves.toMatchObject({ stdout: expect.stringContaining('1 passed') });
}, 60_000);
