import './promise-with-resolvers.test-support.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import type { WorldName } from '../../fixtures/worlds.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import type { Send } from '../../target/requests/exchange.ts';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { type MswPackage, openTab, serveApp } from '../../tools/web-app.test-support.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { coveredBy } from './base-url.ts';
import { serve } from './node/node.ts';
import { fulfillRoute, unableInPlaywright } from './playwright-route.ts';

/** The options of an integration's mock, in a form that can be sent to another process. */
export interface Setting {
  readonly world: WorldName;
  readonly clock: 'still' | 'running';
  readonly dialect?: Dialect;
}

/** A separate mock behind one integration, until the test ends. */
export interface OpenIntegration {
  readonly origin: string;
  /** Sends a request as a client of this integration does. */
  readonly send: Send;
  /** The page that sends the requests, if a page does. */
  readonly page?: Page;
}

/** Turns a setting into options of `createMock`. */
export function mockOptions({ clock, ...options }: Setting): MockOptions {
  const now = clock === 'running' ? { now: Date.now } : {};
  return { seed: 'parity', recordingDelay: 0, ...options, ...now };
}

/** The address whose requests are intercepted. Nothing listens there. */
const origin = 'http://livestream.test';

async function openServer(setting: Setting): Promise<OpenIntegration> {
  const server = await serve(createMock(mockOptions(setting)));
  onTestFinished(() => server.close());
  return { origin: server.origin, send: fetch };
}

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const stoppedClock = 'data:text/javascript,Date.now=()=>Date.UTC(2026,0,1)';

/** Opens `livestream-mock serve`, which replaces the `Request` and `Response` of its process with lighter ones. */
async function openCommandLine({ world, clock, dialect }: Setting): Promise<OpenIntegration> {
  const still = clock === 'still' ? ['--import', stoppedClock] : [];
  const settings = ['--world', world, '--seed', 'parity', '--recording-delay', '0ms'];
  const flag = dialect === undefined ? [] : ['--dialect', temporaryFile('dialect.json', dialect)];
  const args = [program, 'serve', '--port', '0', '--json', ...settings, ...flag];
  const child = spawn(process.execPath, [...still, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [line] = await once(child.stdout, 'data');
  return { origin: new URL(JSON.parse(String(line)).baseUrl).origin, send: fetch };
}

async function openMsw(setting: Setting): Promise<OpenIntegration> {
  const { setupServer } = await import('msw/node');
  const { handlers } = await import('./msw.ts');
  const mock = createMock(mockOptions(setting));
  const server = setupServer(...handlers(mock, { baseUrl: `${origin}/api` }));
  server.listen();
  onTestFinished(() => server.close());
  return { origin, send: (request) => fetch(request) };
}

function openMswNext(setting: Setting): Promise<OpenIntegration> {
  vi.doMock('msw', () => import('msw-next'));
  vi.doMock('msw/node', () => import('msw-next/node'));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('msw');
    vi.doUnmock('msw/node');
    vi.resetModules();
  });
  return openMsw(setting);
}

/** Opens a page whose requests MSW's service worker answers with a mock in the page. */
function openWorker(msw: MswPackage): (setting: Setting) => Promise<OpenIntegration> {
  return async ({ clock, ...setting }) => {
    const options = mockOptions({ clock: 'still', ...setting });
    const source = `
      import { createMock } from 'livestream-mock';
      import { handlers } from 'livestream-mock/msw';
      import { setupWorker } from 'msw/browser';

      const options = ${JSON.stringify(options)};
      const mock = createMock({ ...options, ${clock === 'running' ? 'now: Date.now' : ''} });
      const worker = setupWorker(...handlers(mock, { baseUrl: '/api' }));
      await worker.start({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' });
    `;
    const app = await serveApp(source, msw);
    onTestFinished(() => app.close());
    const { page } = await openTab(await (await openBrowser()).newContext(), app);
    const pageErrors: string[] = [];
    page.on('pageerror', ({ message }) => pageErrors.push(message));
    onTestFinished(() => expect(pageErrors).toEqual([]));
    return { origin: app.origin, page, send: (request) => sendInPage(page, request) };
  };
}

async function openPlaywright(setting: Setting): Promise<OpenIntegration> {
  const mock = createMock({ ...mockOptions(setting), unable: unableInPlaywright });
  const page = await (await openBrowser()).newPage();
  await page.route(`${origin}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>page</title>' }),
  );
  await page.route(coveredBy(mock, `${origin}/api`), (route) => fulfillRoute(mock.fetch, route));
  await page.goto(origin);
  return { origin, page, send: (request) => sendInPage(page, request) };
}

/** Sends a request with the `fetch` of a page, and returns the response. */
async function sendInPage(page: Page, request: Request): Promise<Response> {
  const copy = {
    url: request.url,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body: (await request.text()) || null,
  };
  const { status, headers, bytes } = await page.evaluate(async ({ url, ...init }) => {
    const response = await fetch(url, init);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  }, copy);
  return new Response([204, 304].includes(status) ? null : bytes, { status, headers });
}

const countsBytes = { 'content-length': 'the bytes of JSON are counted' } as const;
const opensResponses = {
  'access-control-allow-origin': 'Playwright adds it to a response that lacks it',
  'access-control-allow-credentials': 'Playwright adds it to a response without an allowed origin',
} as const;
const overTheWire = {
  ...countsBytes,
  date: 'a server has a clock of its own',
  connection: 'a connection serves several requests',
  'keep-alive': 'a connection serves several requests',
} as const;

/** A way from a client to a mock. */
interface Integration {
  open(setting: Setting): Promise<OpenIntegration>;
  /** Headers that its clients see but the mock does not send, each with the reason. */
  readonly adds: Readonly<Record<string, string>>;
}

/** Every integration. The vitest integration is that of the installed MSW. */
export const integrations = {
  'serve, to Node': { open: openServer, adds: overTheWire },
  'the command line': { open: openCommandLine, adds: overTheWire },
  'MSW 2 in Node': { open: openMsw, adds: {} },
  'MSW 3 in Node': { open: openMswNext, adds: {} },
  'MSW 2 in Chromium': { open: openWorker('msw'), adds: {} },
  'MSW 3 in Chromium': { open: openWorker('msw-next'), adds: {} },
  Playwright: { open: openPlaywright, adds: { ...countsBytes, ...opensResponses } },
} as const satisfies Record<string, Integration>;

/** The names of the integrations, which are also those on the page about faults. */
export type IntegrationName = keyof typeof integrations;
