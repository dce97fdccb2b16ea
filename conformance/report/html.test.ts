import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findViolations } from '../../tools/axe.test-support.ts';
import { visible } from '../model/visible.ts';
import { show, usePages } from './browser.test-support.ts';
import { renderHtml } from './html.ts';
import { style } from './html-style.ts';
import {
  conformant,
  deviating,
  hostile,
  interrupted,
  judged,
  sample,
  unjudgeable,
} from './sample.test-support.ts';

const openPage = usePages();
const html = renderHtml(sample);

test('what the target sends is shown as text, and the page has no script', async () => {
  const page = await openPage();
  await show(page, html);
  expect(await page.title()).toBe('Not conformant: http://127.0.0.1:4100/api');
  expect(await page.locator('script, img, iframe, object, link').count()).toBe(0);
  expect(await page.locator('#RECORD-1 pre.body').first().textContent()).toBe(visible(hostile));
});

test('the policy allows the style sheet, and keeps an injected script from running', async () => {
  const hash = createHash('sha256').update(style).digest('base64');
  expect(html).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'; base-uri`);
  expect(html).toContain(`<style>${style}</style>`);
  const invaded = html.replace('</main>', '<script>document.title = "taken over"</script></main>');
  expect(await titleOf(invaded)).toBe('Not conformant: http://127.0.0.1:4100/api');
  expect(await titleOf(invaded.replace(/<meta http-equiv[^>]*>/, ''))).toBe('taken over');
});

async function titleOf(content: string): Promise<string> {
  const page = await openPage();
  await page.setContent(content);
  return page.title();
}

test('the parts of the page have roles, and fit the width of a phone', async () => {
  const page = await openPage({ viewport: { width: 400, height: 800 } });
  await show(page, html);
  for (const role of ['banner', 'navigation', 'search', 'main', 'contentinfo'] as const) {
    expect([role, await page.getByRole(role).count()]).toEqual([role, 1]);
  }
  const titles = await page.getByRole('heading', { level: 1 }).allTextContents();
  expect(titles).toEqual(['Not conformant']);
  expect(await page.getByRole('region', { name: 'Authentication' }).isVisible()).toBe(true);
  const observed = page.getByRole('region', { name: 'Observed, not judged' });
  expect(await observed.getByRole('listitem').count()).toBe(3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
});

test('boxes show and hide requirements by their outcome and level', async () => {
  const page = await openPage();
  await show(page, html);
  const passed = page.getByRole('heading', { name: 'CREATE-1 ' });
  const should = page.getByRole('heading', { name: 'CREATE-9 ' });
  await page.getByRole('checkbox', { name: 'should' }).uncheck();
  expect([await passed.isVisible(), await should.isVisible()]).toEqual([true, false]);
  await page.getByRole('checkbox', { name: 'passed' }).uncheck();
  expect(await passed.isVisible()).toBe(false);
  await page.getByRole('checkbox', { name: 'passed' }).check();
  expect(await passed.isVisible()).toBe(true);
});

test('a cause is shown once, with all that it breaks, and the decisive exchange in full', async () => {
  const page = await openPage();
  const message = 'expected status 201, got 200';
  const evidence = sample.results.find(({ id }) => id === 'RECORD-1')?.evidence ?? [];
  const results = sample.results.map((result) =>
    ['CREATE-1', 'RECORD-1'].includes(result.id)
      ? { ...result, outcome: 'fail' as const, message, evidence }
      : result,
  );
  await show(page, renderHtml(judged({ ...sample, results })));
  const causes = page.getByRole('region', { name: 'What failed' });
  expect(await causes.getByText(message).count()).toBe(1);
  const links = await causes.getByRole('link').allTextContents();
  expect(links).toEqual(['CREATE-1', 'RECORD-1', 'MEDIA-1']);
  const titles = await causes.locator('.exchange > p:first-child').allTextContents();
  expect(titles).toEqual(['Decided by', 'Also sent', 'Sent']);
});

test('a requirement is opened by a link to it and with the keyboard', async () => {
  const page = await openPage();
  await show(page, html);
  const open = page.locator('details[open] .detail');
  expect(await open.count()).toBe(0);
  await page.getByRole('link', { name: 'LIST-2' }).click();
  await expect.poll(() => open.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['LIST-2']);
  await page.locator('summary', { hasText: 'AUTH-1' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('#AUTH-1 .found').isVisible()).toBe(true);
});

test('on paper everything that did not pass is open, in dark text on white', async () => {
  const page = await openPage({ colorScheme: 'dark', bypassCSP: true });
  await show(page, html);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('#AUTH-1 .found').isVisible()).toBe(true);
  expect(await page.locator('#CREATE-1 dl').isVisible()).toBe(false);
  expect(await findViolations(page)).toEqual([]);
});

test.each(['light', 'dark'] as const)('axe finds nothing wrong in %s colours', async (colours) => {
  const page = await openPage({ colorScheme: colours, bypassCSP: true });
  for (const report of [sample, conformant, deviating, interrupted]) {
    await page.setContent(renderHtml(report));
    expect(await findViolations(page)).toEqual([]);
  }
});

test('for a target that cannot be judged, the page is one sentence without a filter', async () => {
  const page = await openPage();
  await show(page, renderHtml(unjudgeable));
  expect(await page.getByRole('heading').allTextContents()).toEqual(['Cannot be judged']);
  expect(await page.getByText(unjudgeable.unjudgeable ?? '').count()).toBe(1);
  expect(await page.getByText('nothing was tested').isVisible()).toBe(true);
  expect(await page.getByRole('search').count()).toBe(0);
});
