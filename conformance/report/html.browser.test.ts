import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { visible } from '../../text/visible.ts';
import { findViolations } from '../../tools/axe.test-support.ts';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { renderHtml } from './html.ts';
import { hostile, interrupted, sample } from './sample.test-support.ts';

const html = renderHtml(sample);
const address = 'http://report.test/';

/** Shows a page. A message in the console, a dialog, or any other request fails the test. */
async function show(content: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await openBrowser()).newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    return dialog.dismiss();
  });
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url === address) return route.fulfill({ contentType: 'text/html', body: content });
    complaints.push(`request of ${url}`);
    return route.abort();
  });
  onTestFinished(() => expect(complaints).toEqual([]));
  await page.goto(address);
  return page;
}

test('what the target sends is shown as text, and the page has no script', async () => {
  const page = await show(html);
  expect(await page.title()).toBe('Not conformant: http://127.0.0.1:4100/api');
  expect(await page.locator('script, img, iframe, object, link').count()).toBe(0);
  expect(await page.locator('#RECORD-1 pre.body').first().textContent()).toBe(visible(hostile));
});

test('the policy keeps an injected script from running', async () => {
  const titleOf = async (content: string) => {
    const page = await (await openBrowser()).newPage();
    await page.setContent(content);
    return page.title();
  };
  const invaded = html.replace('</main>', '<script>document.title = "taken over"</script></main>');
  expect(await titleOf(invaded)).toBe('Not conformant: http://127.0.0.1:4100/api');
  expect(await titleOf(invaded.replace(/<meta http-equiv[^>]*>/, ''))).toBe('taken over');
});

test('a link to a requirement opens it, as does the keyboard', async () => {
  const page = await show(html);
  const open = page.locator('details[open] .detail');
  expect(await open.count()).toBe(0);
  await page.getByRole('link', { name: 'LIST-2' }).click();
  await expect.poll(() => open.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['LIST-2']);
  await page.locator('summary', { hasText: 'AUTH-1' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('#AUTH-1 .found').isVisible()).toBe(true);
});

test('requirements that passed, headers and clauses are folded away, and each clause appears once', async () => {
  const page = await show(html);
  expect(await page.getByText('CREATE-1', { exact: true }).isVisible()).toBe(false);
  await page.locator('summary', { hasText: '9 passed' }).click();
  expect(await page.getByText('CREATE-1', { exact: true }).isVisible()).toBe(true);
  await page.getByRole('link', { name: 'RECORD-1', exact: true }).first().click();
  const headers = page.locator('#RECORD-1 pre.headers').first();
  expect(await headers.isVisible()).toBe(false);
  await page.locator('#RECORD-1').getByText('3 headers').click();
  expect(await headers.isVisible()).toBe(true);
  await page.locator('#RECORD-1').getByRole('link', { name: '4.2 Turn recording' }).click();
  await expect.poll(() => page.locator('[id="clause-4.2"]').isVisible()).toBe(true);
  expect(html.match(/sets record and\s+returns 204/g)).toHaveLength(1);
});

test('the list at the top says how each area ended, and leads to it', async () => {
  const page = await show(html);
  const area = page.locator('.areas li', { hasText: 'Recordings' });
  expect(await area.textContent()).toBe('Recordings: 1 in error, 1 not testable by any request');
  await area.getByRole('link').click();
  expect(page.url()).toBe(`${address}#area-media`);
});

test.each([
  { colorScheme: 'light', report: sample },
  { colorScheme: 'dark', report: interrupted },
] as const)('axe finds nothing wrong on a $colorScheme phone', async ({ colorScheme, report }) => {
  const phone = { viewport: { width: 400, height: 800 }, colorScheme, bypassCSP: true };
  const page = await show(renderHtml(report), phone);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
  expect(await findViolations(page)).toEqual([]);
});
