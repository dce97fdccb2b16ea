import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';

/** Launches a browser for the tests of a file; the function returned opens a page in it. */
export function usePages(): (options?: BrowserContextOptions) => Promise<Page> {
  const browser = useBrowser();
  return async (options) => {
    const page = await browser().newPage(options);
    onTestFinished(() => page.close());
    return page;
  };
}

const address = 'http://report.test/';

/** Shows a page; a message of the browser, a dialog, or any further request fails the test. */
export async function show(page: Page, html: string): Promise<void> {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    return dialog.dismiss();
  });
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url === address) return route.fulfill({ contentType: 'text/html', body: html });
    complaints.push(`request of ${url}`);
    return route.abort();
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(address);
}
