import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../mocks/adapters/node/node.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { World } from '../../mocks/service/world-handle.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { runPlaywright } from '../../tools/playwright.test-support.ts';
import { recordAndWatch, watchNewest } from './scenario.test-support.ts';
import { type Site, startSite } from './site.test-support.ts';

const browser = useBrowser();

/** Requests for the list of streams. */
const list = /\/api\/stream(\?|$)/;

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

test('with a service worker it works without a server, and state survives a reload', async () => {
  const page = await openPage(mocked);
  await recordAndWatch(page);
  await page.reload();
  await watchNewest(page);
});

test('a refused request shows the message of the service, and the switch moves back', async () => {
  const page = await openPage(mocked);
  await select(page, 'live');
  const record = page.getByRole('switch');
  await record.click();
  await page.getByRole('alert').filter({ hasText: 'expected a stream that is not live' }).waitFor();
  expect(await record.isChecked()).toBe(true);
});

test('a refusal stays shown when the service is reachable again', async () => {
  const { page } = await openServed();
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text });
  await select(page, 'live');
  await page.route(list, (route) => route.abort());
  await alert('No response').waitFor();
  const { asked, release } = await hold(page, list);
  await asked;
  await page.getByRole('switch').click();
  await alert('expected a stream that is not live').waitFor();
  const nextPoll = page.waitForRequest(list);
  release();
  await nextPoll;
  expect(await alert('expected a stream that is not live').isVisible()).toBe(true);
});

test('an action applies to the stream that is shown while another is loading', async () => {
  const { page, world } = await openServed();
  const live = world.streams().find(({ isActive }) => isActive);
  await select(page, 'live');
  const { asked, release } = await hold(page, list);
  await page.getByRole('link').last().click();
  await asked;
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('switch').click();
  expect((await sent).url()).toContain(`/stream/${live?.id}/record`);
  release();
});

test('a recording does not open when the user has left before its player was loaded', async () => {
  const { page, world } = await openServed();
  const { id } = await world.createStream({ name: 'Quay camera', record: true });
  await world.start(id, { duration: 600 });
  await select(page, 'Quay camera');
  const { asked, release } = await hold(page, /\/assets\/hls.*\.js$/);
  await page.getByRole('button', { name: /^Play (?!MP4)/ }).click();
  const script = await asked;
  await page.getByRole('link', { name: 'live' }).click();
  await page.getByRole('heading', { name: 'Quay camera' }).waitFor({ state: 'hidden' });
  release();
  await page.evaluate(`import(${JSON.stringify(script.url())})`);
  expect(await page.getByRole('region', { name: 'Player' }).isVisible()).toBe(false);
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

/** Holds back what the page asks for at an address, until it is released. */
async function hold(
  page: Page,
  address: RegExp,
): Promise<{ asked: Promise<Request>; release: () => void }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return { asked: page.waitForRequest(address), release };
}
