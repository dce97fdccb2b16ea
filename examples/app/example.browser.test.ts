import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../mocks/adapters/node/node.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { World } from '../../mocks/service/testers/world-handle.ts';
import { findViolations } from '../../tools/axe.test-support.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { runPlaywright } from '../../tools/playwright.test-support.ts';
import { recordAndWatch, watchNewest } from './scenario.test-support.ts';
import { type Site, startSite } from './site.test-support.ts';

const browser = useBrowser();

/** Nothing listens there: only an integration can answer. */
const nowhere = 'https://livestream.test';

/** The app with the mock in its service worker. */
let mocked: Site;
/** The app without the mock. */
let plain: Site;
/** The app over HTTP, and the mock behind it. */
let served: { readonly site: Site; readonly mock: Mock };

beforeAll(async () => {
  mocked = await startSite('worker', nowhere);
  plain = await startSite('serve', nowhere);
  const mock = createMock({ world: 'demo', now: Date.now });
  // The app is built for the server's origin, so its own origin is known only afterwards.
  const controlOrigins: string[] = [];
  const server = await serve(mock, { controlOrigins });
  const site = await startSite('serve', server.origin);
  controlOrigins.push(site.origin);
  served = { site, mock };
  return async () => {
    for (const { close } of [mocked, plain, site, server]) await close();
  };
});

/** Opens a page with a new storage. */
async function openPage({ origin }: Site): Promise<Page> {
  const page = await browser().newPage();
  onTestFinished(() => page.close());
  await page.goto(origin);
  return page;
}

/** Opens the app over HTTP; the page, and the world that it shows. */
async function openServed(): Promise<{ page: Page; world: World }> {
  const world = await served.mock.world();
  await world.reset();
  return { page: await openPage(served.site), world };
}

/** Follows the link to a stream, and waits until it is shown. */
async function select(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name });
  await link.click();
  await link.and(page.locator('[aria-current]')).waitFor();
}

test('over HTTP a stream is created, recorded and watched', async () => {
  const { page, world } = await openServed();
  await recordAndWatch(page);
  expect(world.streams()[0]).toMatchObject({ name: 'Harbour camera', record: true });
});

test('with a service worker it needs no server, survives a reload, and is accessible', async () => {
  const page = await openPage(mocked);
  await recordAndWatch(page);
  await page.reload();
  await watchNewest(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('alert').filter({ hasText: 'expected' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page), colorScheme).toEqual([]);
  }
});

test('a refused request shows the message of the service, and the switch moves back', async () => {
  const page = await openPage(mocked);
  await select(page, 'live');
  const record = page.getByRole('switch');
  await record.click();
  await page.getByRole('alert').filter({ hasText: 'expected a stream that is not live' }).waitFor();
  expect(await record.isChecked()).toBe(true);
});

test('a build without the mock contains none of its code', async () => {
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

test('the same scenario passes as a Playwright test', async () => {
  const results = await runPlaywright(import.meta.dirname, { env: { APP_URL: plain.origin } });
  expect(results).toMatchObject([{ passed: true, message: '' }]);
}, 60_000);
