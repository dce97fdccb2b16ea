import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** The name under which a major version of MSW is installed here. */
export type MswPackage = 'msw' | 'msw-next';

/** A web app that is served. */
export type WebApp = Awaited<ReturnType<typeof serveApp>>;

type BuiltApp = readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[];

/** Apps that were built earlier, by their version of MSW and their source. */
const built = new Map<string, Promise<BuiltApp>>();

/**
 * Builds an app from a single TypeScript file, as a user of the built package would: with Vite, for
 * browsers.
 */
export function buildApp(source: string, msw: MswPackage = 'msw'): Promise<BuiltApp> {
  const key = `${msw} ${source}`;
  const app = built.get(key) ?? buildAnew(source, msw);
  built.set(key, app);
  return app;
}

async function buildAnew(source: string, msw: MswPackage): Promise<BuiltApp> {
  const entry = join(root, 'app.ts');
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    resolve: {
      alias: [
        { find: /^livestream-mock$/, replacement: join(root, 'dist/index.js') },
        { find: /^livestream-mock\/(.*)$/, replacement: join(root, 'dist/$1.js') },
        { find: /^msw(?=$|\/)/, replacement: msw },
      ],
    },
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: { input: entry, output: { entryFileNames: 'app.js' } },
    },
  });
  return (output as Rolldown.RolldownOutput).output;
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>app</title>
<link rel="icon" href="data:,">
<body><video muted></video><script type="module" src="/app.js"></script>`;

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '': 'text/html' };

/** Serves an app, with the service worker that `npx msw init` would have added. */
export async function serveApp(source: string, msw: MswPackage = 'msw') {
  const worker = join(root, 'node_modules', msw, 'lib/mockServiceWorker.js');
  const files = new Map<string, string | Uint8Array>([
    ['/', page],
    ['/mockServiceWorker.js', readFileSync(worker)],
  ]);
  const marked = `${source}\ndocument.body.dataset.ready = 'yes';\n`;
  for (const file of await buildApp(marked, msw)) {
    files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
  }
  const server = createServer(({ url = '/' }, response) => {
    const file = files.get(url);
    const type = types[extname(url)] ?? 'application/octet-stream';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A page that shows an app, and the browser's complaints about it. */
export type Tab = Awaited<ReturnType<typeof openTab>>;

/** Opens an app in a tab, and waits until its source has run to the end. */
export async function openTab(context: BrowserContext, { origin }: WebApp) {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(origin);
  await ready(page);
  return { page, complaints };
}

/** Reloads an app. */
export async function reload({ page }: Tab): Promise<void> {
  await page.reload();
  await ready(page);
}

async function ready(page: Page): Promise<void> {
  await page.locator('body[data-ready]').waitFor();
}
