import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { inject, onTestFinished } from 'vitest';
import { serveHttp, type TestServer } from '../../conformance/servers.test-support.ts';
import { createMock } from '../mock.ts';
import { coveredBy } from './address.ts';
import { answerRoute } from './playwright-route.ts';
import { sendInPage } from './send-in-page.test-support.ts';
import { mockOptions, type OpenDoor, type Setting } from './setting.test-support.ts';

/** A package that is MSW, of one major version or another. */
type MswPackage = 'msw' | 'msw-next';

/** Playwright's interception of what a page sends. */
export async function openPlaywright(setting: Setting): Promise<OpenDoor> {
  const origin = 'http://livestream.test';
  const mock = createMock(mockOptions(setting));
  const page = await openPage();
  await page.route(`${origin}/`, (route) => route.fulfill(emptyPage));
  await page.route(coveredBy(mock, `${origin}/api`), (route) => answerRoute(mock, route));
  await page.goto(origin);
  return { origin, send: (request) => sendInPage(page, request) };
}

/** A page whose requests MSW's service worker answers by a mock in the page. */
export function openWorker(msw: MswPackage): (setting: Setting) => Promise<OpenDoor> {
  return async (setting) => {
    const worker = ['/mockServiceWorker.js', await readWorker(msw)] as const;
    const { origin } = await serveScripts(new Map([...(await bundlePage(msw)), worker]));
    const page = await openPage();
    await page.goto(origin);
    await page.evaluate(
      `import('/page.js').then(({ startWorker }) => startWorker(${JSON.stringify(setting)}))`,
    );
    return { origin, send: (request) => sendInPage(page, request) };
  };
}

const emptyPage = { contentType: 'text/html', body: '<!doctype html><title>page</title>' };

async function openPage(): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: inject('programs').browser,
    args: ['--no-sandbox'],
  });
  onTestFinished(() => browser.close());
  return browser.newPage();
}

/** Builds `worker-page.test-support.ts` for a browser, with one of the two for MSW. */
async function bundlePage(msw: MswPackage): Promise<Files> {
  const entry = fileURLToPath(new URL('worker-page.test-support.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"test"' },
    resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: msw }] },
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'page' } },
  });
  const chunks = [built].flat().flatMap((part) => ('output' in part ? part.output : []));
  return new Map(
    chunks.flatMap((chunk) => ('code' in chunk ? [[`/${chunk.fileName}`, chunk.code]] : [])),
  );
}

/** Path from the origin, and the script there. */
type Files = ReadonlyMap<string, string>;

async function readWorker(msw: MswPackage): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  return readFile(resolve(`${msw}/mockServiceWorker.js`), 'utf8');
}

/** Serves the page at `/`, and scripts beside it. */
function serveScripts(scripts: Files): Promise<TestServer> {
  return serveHttp(({ url = '' }, response) => {
    const script = scripts.get(url);
    const type = script === undefined ? emptyPage.contentType : 'text/javascript';
    response.writeHead(200, { 'content-type': type }).end(script ?? emptyPage.body);
  });
}
