import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { createServer } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from './browser.test-support.ts';
import { typeScriptIn } from './code-blocks.ts';
import { runPlaywright, writePlaywrightSettings } from './playwright.test-support.ts';
import { program } from './program.test-support.ts';
import { userFolder } from './user-folder.test-support.ts';
import { type MswPackage, openTab, reload, serveApp } from './web-app.test-support.ts';

const root = resolve(import.meta.dirname, '..');

const docs = readFileSync(resolve(root, 'docs/frontend.md'), 'utf8');

/** The only TypeScript block of docs/frontend.md that imports from there. */
function recipe(imported: string): string {
  const blocks = typeScriptIn(docs);
  const found = blocks.filter(({ source }) => source.includes(`from '${imported}';`));
  expect(found).toHaveLength(1);
  return found[0]?.source ?? '';
}

/** The recipe for a browser, with the option that the major of MSW has. */
function browserRecipe(msw: MswPackage): string {
  const source = recipe('msw/browser');
  return msw === 'msw' ? source : source.replace('onUnhandledRequest', 'onUnhandledFrame');
}

test('the recipe for MSW in Node is short', () => {
  expect(recipe('msw/node').trim().split('\n').length).toBeLessThan(15);
});

test.each(['msw', 'msw-next'] as const)(
  'the recipe for MSW in a browser is short, and works when pasted: %s',
  async (msw) => {
    const source = browserRecipe(msw);
    expect(source.trim().split('\n').length).toBeLessThan(15);
    const app = await serveApp(source, msw);
    onTestFinished(() => app.close());
    const tab = await openTab(await (await openBrowser()).newContext(), app);
    const logged: string[] = [];
    tab.page.on('console', (message) => logged.push(message.text()));
    const sessions = await send(tab.page, 'GET https://livestream.test/api/session?record=1');
    const { mp4URL, recordingUrl } = sessions.body.find(({ mp4URL }) => mp4URL) ?? {};
    for (const address of [mp4URL, recordingUrl]) {
      expect(await send(tab.page, `GET ${address}`)).toMatchObject({ status: 200 });
    }
    for (const [line, streams] of [
      ['POST https://livestream.test/api/stream', 7],
      ['POST https://livestream.test/_mock/reset', 6],
    ] as const) {
      await send(tab.page, line, '{"name":"kept"}');
      await reload(tab);
      const listed = await send(tab.page, 'GET https://livestream.test/api/stream');
      expect(listed.body).toHaveLength(streams);
    }
    await expect.poll(() => logged.join('\n')).toContain('POST https://livestream.test/api/stream');
    expect(logged.join('\n'), 'media in the console').not.toContain('/recordings/');
    expect(tab.complaints).toEqual([]);
  },
);

/** An app that shows the names of the streams, after the line with which it starts the mock. */
function appThatStartsMock(): string {
  const [line] = /(?<=`)if \(import\.meta\.env\.DEV.*mock\.ts'\)(?=`)/.exec(docs) ?? [];
  return `${line};
    const headers = { authorization: 'Bearer test-demo' };
    const response = await fetch('https://livestream.test/api/stream', { headers });
    const streams = await response.json();
    document.body.textContent = streams.map(({ name }) => name).join(', ');`;
}

const spec = `import { expect } from '@playwright/test';
  import { test } from 'livestream-mock/playwright';
  test.use({ livestream: { baseUrl: 'https://livestream.test/api' } });
  test('the streams of the fixture are shown', async ({ page, mock }) => {
    await mock.createStream({ name: 'Harbour camera' });
    await page.goto(process.env.APP_URL);
    await expect(page.locator('body')).toHaveText('Harbour camera');
  });`;

test('an app that starts MSW when it is developed can be tested with Playwright', async () => {
  const folder = userFolder(['@playwright/test', 'msw'], 'app.spec.js', spec);
  writePlaywrightSettings(folder, program('browser'));
  writeFileSync(join(folder, 'mock.ts'), browserRecipe('msw'));
  writeFileSync(join(folder, 'main.ts'), appThatStartsMock());
  writeFileSync(join(folder, 'index.html'), '<body><script type="module" src="main.ts"></script>');
  mkdirSync(join(folder, 'public'));
  const worker = 'mockServiceWorker.js';
  copyFileSync(join(root, 'node_modules/msw/lib', worker), join(folder, 'public', worker));
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
  });
  onTestFinished(() => server.close());
  await server.listen();
  const [url = ''] = server.resolvedUrls?.local ?? [];
  const context = await (await openBrowser()).newContext();
  await context.addInitScript("Object.defineProperty(navigator, 'webdriver', { value: false })");
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText('Thursday chess club').waitFor();
  expect(await runPlaywright(folder, { env: { APP_URL: url } })).toMatchObject([
    { passed: true, message: '' },
  ]);
}, 60_000);

interface Response {
  readonly status: number;
  readonly body: readonly { readonly mp4URL?: string; readonly recordingUrl?: string }[];
}

/** Sends a request such as `GET https://livestream.test/api/stream` from a page; no list is an empty body. */
function send(page: Page, line: string, body: string | null = null): Promise<Response> {
  return page.evaluate(
    async ({ line, body }) => {
      const [method = '', url = ''] = line.split(' ');
      // Media is fetched without a key.
      const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
      const isMedia = url.includes('/recordings/');
      const response = await fetch(url, isMedia ? {} : { method, headers, body });
      return { status: response.status, body: await response.json().catch(() => []) };
    },
    { line, body },
  );
}
