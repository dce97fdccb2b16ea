import type { BrowserContext } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { type MswPackage, openTab, serveApp } from '../../tools/web-app.test-support.ts';
import { createMock } from '../mock.ts';
import { coveredBy } from './address.ts';
import { mockOptions, type OpenIntegration, type Setting } from './integration.test-support.ts';
import { openServer } from './open-http.test-support.ts';
import { answerRoute, unableInPlaywright } from './playwright/answer-route.ts';
import { sendInPage } from './send-in-page.test-support.ts';

/** Playwright's interception of what a page sends. */
export async function openPlaywright(setting: Setting): Promise<OpenIntegration> {
  const origin = 'http://livestream.test';
  const mock = createMock({ ...mockOptions(setting), unable: unableInPlaywright });
  const page = await (await openContext()).newPage();
  await page.route(`${origin}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>page</title>' }),
  );
  await page.route(coveredBy(mock, `${origin}/api`), (route) => answerRoute(mock.fetch, route));
  await page.goto(origin);
  return { origin, page, send: (request) => sendInPage(page, request) };
}

/** A page that sends requests to the library's HTTP server. */
export async function openServerInPage(setting: Setting): Promise<OpenIntegration> {
  const server = await openServer(setting);
  return { ...server, page: await (await openContext()).newPage() };
}

/** A page whose requests MSW's service worker answers by a mock in the page. */
export function openWorker(msw: MswPackage): (setting: Setting) => Promise<OpenIntegration> {
  return async (setting) => {
    const app = await serveApp(startWorker(setting), msw);
    onTestFinished(() => app.close());
    const { page } = await openTab(await openContext(), app);
    return { origin: app.origin, page, send: (request) => sendInPage(page, request) };
  };
}

/** The source of an app whose service worker answers by a mock at the app's own origin. */
function startWorker({ clock, ...options }: Setting): string {
  return `
    import { createMock } from 'livestream-mock';
    import { handlers } from 'livestream-mock/msw';
    import { setupWorker } from 'msw/browser';

    const options = ${JSON.stringify(options)};
    const mock = createMock({ ...options, ${clock === 'running' ? 'now: Date.now' : ''} });
    const worker = setupWorker(...handlers(mock, { baseUrl: '/api' }));
    await worker.start({ quiet: true, onUnhandledRequest: 'error', onUnhandledFrame: 'error' });
  `;
}

async function openContext(): Promise<BrowserContext> {
  return (await openBrowser()).newContext();
}
