import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { visible } from '../model/visible.ts';
import { show, usePages } from './browser.test-support.ts';
import { contrasts } from './contrast.test-support.ts';
import { renderHtml } from './html.ts';
import { script, style } from './html-assets.ts';
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

test('the policy has the hashes of the style sheet and the script', () => {
  const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  expect(html).toContain(`style-src '${hash(style)}'; script-src '${hash(script)}';`);
  expect(html).toContain(`<style>${style}</style>`);
  expect(html).toContain(`<script type="module">${script}</script>`);
});

test('what the target sends is shown as text, and nothing of it runs', async () => {
  const page = await openPage();
  await show(page, html);
  expect(await page.title()).toBe('Not conformant: http://127.0.0.1:4100/api');
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('img, iframe, object, link').count()).toBe(0);
  expect(await page.locator('#RECORD-1 pre.body').first().textContent()).toBe(visible(hostile));
});

test('an injected script does not run', async () => {
  const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)?.[1];
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
  );
  const invaded = html.replace('</main>', '<script>document.title = "taken over"</script></main>');
  expect(await titleOf(invaded)).toBe('Not conformant: http://127.0.0.1:4100/api');
  expect(await titleOf(invaded.replace(/<meta http-equiv[^>]*>/, ''))).toBe('taken over');
});

async function titleOf(content: string): Promise<string> {
  const page = await openPage();
  await page.setContent(content);
  return page.title();
}

test('the parts of the page have roles', async () => {
  const page = await openPage();
  await show(page, html);
  for (const role of ['banner', 'navigation', 'search', 'main', 'contentinfo'] as const) {
    expect([role, await page.getByRole(role).count()]).toEqual([role, 1]);
  }
  const titles = await page.getByRole('heading', { level: 1 }).allTextContents();
  expect(titles).toEqual(['Not conformant']);
  expect(await page.getByRole('region', { name: 'Authentication' }).isVisible()).toBe(true);
  expect(await page.getByRole('row').count()).toBe(4);
});

test.each([true, false])('the filter works, with script: %s', async (javaScriptEnabled) => {
  const page = await openPage({ javaScriptEnabled });
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

test('the script counts what is shown and hides areas without any', async () => {
  const page = await openPage();
  await show(page, html);
  const status = page.getByRole('status');
  expect(await status.textContent()).toBe('18 of 18 shown');
  await page.getByRole('checkbox', { name: 'inapplicable' }).uncheck();
  expect(await status.textContent()).toBe('17 of 18 shown');
  expect(await page.getByRole('region', { name: 'Authentication' }).count()).toBe(0);
});

test('a cause is shown once, with all that it breaks, and the decisive exchange in full', async () => {
  const page = await openPage();
  const message = 'expected status 201, got 200';
  const results = sample.results.map((result) =>
    ['CREATE-1', 'RECORD-1'].includes(result.id)
      ? { ...result, outcome: 'fail' as const, message, evidence: sampleEvidence }
      : result,
  );
  await show(page, renderHtml(judged({ ...sample, results })));
  const causes = page.getByRole('region', { name: 'What failed' });
  expect(await causes.getByText(message).count()).toBe(1);
  expect(await causes.getByRole('link').allTextContents()).toEqual([
    'CREATE-1',
    'RECORD-1',
    'MEDIA-1',
  ]);
  const titles = await causes.locator('.exchange > p:first-child').allTextContents();
  expect(titles).toEqual(['Decided by', 'Also sent', 'Sent']);
});

const sampleEvidence = sample.results.find(({ id }) => id === 'RECORD-1')?.evidence ?? [];

test('a link opens the requirement that it leads to, and the button opens all', async () => {
  const page = await openPage();
  await show(page, html);
  const open = () => page.locator('details[open]').evaluateAll((all) => all.map(({ id }) => id));
  expect(await open()).toEqual([]);
  await page.getByRole('link', { name: 'LIST-2' }).click();
  await expect.poll(open).toEqual(['LIST-2']);
  await page.getByRole('button', { name: 'Open all' }).click();
  await page.getByRole('button', { name: 'Close all' }).click();
  await expect.poll(open).toEqual([]);
});

test('a requirement is opened with the keyboard', async () => {
  const page = await openPage();
  await show(page, html);
  await page.locator('#AUTH-1 summary').focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('#AUTH-1 .found').isVisible()).toBe(true);
});

test('on paper everything that did not pass is open, in dark text on white', async () => {
  const page = await openPage({ colorScheme: 'dark' });
  await show(page, html);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('#AUTH-1 .found').isVisible()).toBe(true);
  expect(await page.locator('#CREATE-1 dl').isVisible()).toBe(false);
  expect((await contrasts(page)).filter(({ ratio }) => ratio < 4.5)).toEqual([]);
});

test('the page fits the width of a phone', async () => {
  const page = await openPage({ viewport: { width: 400, height: 800 } });
  await show(page, html);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
});

test.each(['light', 'dark'] as const)(
  'text has enough contrast on a %s page',
  async (colorScheme) => {
    const page = await openPage({ colorScheme });
    for (const report of [sample, conformant, deviating, interrupted]) {
      await page.setContent(renderHtml(report));
      const found = await contrasts(page);
      expect(found.length).toBeGreaterThan(50);
      expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    }
  },
);

test('for a target that cannot be judged, the page is one sentence without a filter', async () => {
  const page = await openPage();
  await show(page, renderHtml(unjudgeable));
  expect(await page.getByRole('heading').allTextContents()).toEqual(['Cannot be judged']);
  expect(await page.getByText(unjudgeable.unjudgeable ?? '').count()).toBe(1);
  expect(await page.getByText('nothing was tested').isVisible()).toBe(true);
  expect(await page.getByRole('search').count()).toBe(0);
});
