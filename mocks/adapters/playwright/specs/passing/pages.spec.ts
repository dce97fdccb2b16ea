import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from '../app.test-support.ts';

test.use({ livestream: { baseUrl } });

test('another page of the context is in the same world', async ({ page, context, mock }) => {
  const other = await context.newPage();
  for (const [name, one] of Object.entries({ page, other })) {
    await openApp(one);
    await send(one, { method: 'POST', path: '/stream', body: { name } });
  }
  expect(mock.streams().map(({ name }) => name)).toEqual(['other', 'page']);
});

test('a popup is in the same world', async ({ page, mock }) => {
  await openApp(page);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => window.open('/popup')),
  ]);
  await send(popup, { method: 'POST', path: '/stream', body: { name: 'from the popup' } });
  expect(mock.streams()).toMatchObject([{ name: 'from the popup' }]);
});

test('a page may close before it has its responses', async ({ page, context, mock }) => {
  await openApp(page);
  await page.evaluate(sendOften, baseUrl);
  await page.close();
  const next = await context.newPage();
  await openApp(next);
  expect(await send(next, { path: '/stream' })).toMatchObject({ status: 200 });
  expect(mock.requests().at(-1)).toMatchObject({ answer: { status: 200 } });
});

test('a test may end before its page has its responses', async ({ page }) => {
  await openApp(page);
  await page.evaluate(sendOften, baseUrl);
});

test('the mock does not answer the request fixture', async ({ page, request, mock }) => {
  for (const sender of [request, page.request]) {
    await expect(sender.get(`${baseUrl}/stream`)).rejects.toThrow('livestream.test');
  }
  expect(mock.requests()).toEqual([]);
});

test('the mock does not answer a context that the test opens', async ({ browser, mock }) => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await expect(other.goto(`${baseUrl}/stream`)).rejects.toThrow(`at ${baseUrl}/stream`);
  await context.close();
  expect(mock.requests()).toEqual([]);
});

test('service workers are blocked', async ({ page }) => {
  await openApp(page);
  const registrations = page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js');
    return navigator.serviceWorker.getRegistrations();
  });
  expect(await registrations).toEqual([]);
});

/** Runs in the page: sends requests, and does not wait for them. */
function sendOften(base: string): void {
  for (let count = 0; count < 50; count++) {
    fetch(`${base}/stream`, { headers: { authorization: 'Bearer test-demo' } }).catch(() => {});
  }
}
