import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { serveMock } from '../../target/servers.test-support.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import { coveredBy } from './base-url.ts';
import { fulfillRoute, unableInPlaywright } from './playwright-route.ts';

const browser = useBrowser();

/** Opens a page at another origin of the same machine, as an app in development is. */
async function openApp(): Promise<Page> {
  const page = await browser().newPage();
  await page.goto(`${(await serveMock()).origin}/openapi.json`);
  return page;
}

const integrations = {
  async 'a server'() {
    const { mock, origin } = await serveMock({ world: 'demo' });
    return { mock, origin, page: await openApp() };
  },
  async Playwright() {
    const mock = createMock({ world: 'demo', unable: unableInPlaywright });
    const origin = 'http://livestream.test';
    const page = await openApp();
    await page.route(coveredBy(mock, `${origin}/api`), (route) => fulfillRoute(mock.fetch, route));
    return { mock, origin, page };
  },
} as const satisfies Record<string, () => Promise<{ mock: Mock; origin: string; page: Page }>>;

test.each(Object.keys(integrations) as (keyof typeof integrations)[])(
  'a page of another origin can send credentials to %s, except to the control API',
  async (name) => {
    const { mock, origin, page } = await integrations[name]();
    const world = await mock.world();
    const { recordingUrl = '', mp4URL = '' } =
      world.sessions().find(({ recordingStatus }) => recordingStatus === 'ready') ?? {};
    const statusOf = (url: string) =>
      page.evaluate(
        (address) =>
          fetch(address, {
            credentials: 'include',
            headers: address.includes('/recordings/') ? {} : { authorization: 'Bearer test-demo' },
          }).then(
            ({ status }) => status,
            () => 'blocked',
          ),
        url,
      );
    expect(await statusOf(`${origin}/api/stream`)).toBe(200);
    expect(await statusOf(`${origin}/api/stream/nowhere`)).toBe(404);
    expect(await statusOf(recordingUrl.replace(/^.*?(?=\/recordings)/, origin))).toBe(200);
    expect(await statusOf(mp4URL.replace(/^.*?(?=\/recordings)/, origin))).toBe(200);
    expect(await statusOf(`${origin}/_mock/clock`)).toBe('blocked');
    await page.close();
  },
);
