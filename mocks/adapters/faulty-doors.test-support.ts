import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setupServer } from 'msw/node';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { onTestFinished, vi } from 'vitest';
import type { Fault } from '../faults/fault.ts';
import { createMock, type Mock } from '../mock.ts';
import { type DoorName, unableInPlaywright } from './fault-support.ts';
import { handlers } from './msw/msw.ts';
import { serve } from './node/node.ts';
import { answerRoute } from './playwright/playwright-route.ts';
import { setStage } from './stage.ts';

/** What a client gets from a request that a fault meets, through one door. */
export type AskFaulty = (fault: Fault) => Promise<string>;

const headers = { authorization: 'Bearer test-demo' };

/** Says in one line what a client's `fetch` comes to. */
async function outcome(send: () => Promise<Response>): Promise<string> {
  const describe = (error: unknown): string => {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    return `${name}: ${message}${cause?.code === undefined ? '' : ` (${cause.code})`}`;
  };
  let status: string;
  let text = '';
  let pieces = 0;
  try {
    const response = await send();
    if (response.type === 'error') return 'Response.error()';
    status = `${response.status}`;
    try {
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += new TextDecoder().decode(piece, { stream: true });
        pieces += 1;
      }
    } catch (error) {
      return `${status}, then ${describe(error)}`;
    }
  } catch (error) {
    return describe(error);
  }
  try {
    JSON.parse(text);
  } catch {
    status += ', no JSON';
  }
  return pieces > 2 ? `${status}, in pieces` : status;
}

function liveMock(): Mock {
  return createMock({ world: 'demo', now: Date.now });
}

async function inProcess(): Promise<AskFaulty> {
  const mock = liveMock();
  return async (fault) => {
    (await mock.world()).addFault(fault);
    return outcome(() => mock.fetch(new Request('http://mock.test/api/stream', { headers })));
  };
}

async function overHttp(): Promise<AskFaulty> {
  const mock = liveMock();
  const server = await serve(mock);
  onTestFinished(() => server.close());
  return async (fault) => {
    (await mock.world()).addFault(fault);
    return outcome(() => fetch(`${server.baseUrl}/stream`, { headers }));
  };
}

/** Either major version of MSW. */
type Msw = Pick<typeof import('msw/node'), 'setupServer'> & { handlers: typeof handlers };

async function overNextMsw(): Promise<AskFaulty> {
  // All that this version lacks under Node 20.
  Promise.withResolvers ??= withResolvers;
  vi.resetModules();
  vi.doMock('msw', () => import('msw-next'));
  onTestFinished(() => void vi.doUnmock('msw'));
  const { setupServer: setupNextServer } = await import('msw-next/node');
  const door = await import('./msw/msw.ts');
  return overMsw({ setupServer: setupNextServer as unknown as typeof setupServer, ...door });
}

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let settle: Omit<PromiseWithResolvers<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...(settle as Omit<PromiseWithResolvers<Value>, 'promise'>) };
}

async function overMsw(msw: Msw): Promise<AskFaulty> {
  const mock = liveMock();
  const baseUrl = 'https://faulty.test/api';
  const server = msw.setupServer(...msw.handlers(mock, { baseUrl }));
  server.listen();
  onTestFinished(() => server.close());
  return async (fault) => {
    (await mock.world()).addFault(fault);
    return outcome(() => fetch(`${baseUrl}/stream`, { headers }));
  };
}

/** A page's `fetch`, and why the browser says that a request has failed. */
async function askInPage(page: Page, url: string): Promise<string> {
  const failures: string[] = [];
  page.on('requestfailed', (request) => failures.push(request.failure()?.errorText ?? ''));
  await page.evaluate(`globalThis.outcome = ${outcome}`);
  const said = await page.evaluate(
    ([address, sent]) => {
      const { outcome: run } = globalThis as unknown as { outcome: typeof outcome };
      return run(() => fetch(address, { headers: sent }));
    },
    [url, headers] as const,
  );
  return failures.length === 0 ? said : `${said} (${failures.join(', ')})`;
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

async function chromiumOverHttp(browser: Browser): Promise<AskFaulty> {
  const mock = liveMock();
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const page = await openPage(browser);
  return async (fault) => {
    (await mock.world()).addFault(fault);
    return askInPage(page, `${server.baseUrl}/stream`);
  };
}

async function playwrightRoute(browser: Browser): Promise<AskFaulty> {
  const { mock, world, baseUrl } = await setStage(
    { world: 'demo', now: Date.now },
    unableInPlaywright,
  );
  const page = await openPage(browser);
  await page.route(`${baseUrl}/**`, (route) => answerRoute(mock, route));
  return async (fault) => {
    world.addFault(fault);
    return askInPage(page, `${baseUrl}/stream`);
  };
}

async function serviceWorker(browser: Browser): Promise<AskFaulty> {
  const origin = await servePage();
  const page = await openPage(browser);
  await page.goto(origin);
  return async (fault) => {
    await page.evaluate((added) => {
      const { addFault } = globalThis as unknown as { addFault: (fault: Fault) => Promise<void> };
      return addFault(added);
    }, fault);
    return askInPage(page, `${origin}/api/stream`);
  };
}

/** Serves a page whose requests a mock answers behind MSW's service worker. */
async function servePage(): Promise<string> {
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  const files: Record<string, readonly [type: string, text: string]> = {
    '/': ['text/html', '<script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', await bundlePage()],
    '/mockServiceWorker.js': ['text/javascript', readFileSync(worker, 'utf8')],
  };
  const server = createServer(({ url = '' }, answer) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    answer.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bundlePage(): Promise<string> {
  const entry = new URL('faulty-page.test-support.ts', import.meta.url).pathname;
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: entry, output: { codeSplitting: false } },
    },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('vite built nothing');
  return output.output[0].code;
}

/** How a client asks through each door. */
export const faultyDoors: Readonly<Record<DoorName, (browser: Browser) => Promise<AskFaulty>>> = {
  'mock.fetch': inProcess,
  'serve, to Node': overHttp,
  'serve, to Chromium': chromiumOverHttp,
  'MSW 2 in Node': () => overMsw({ setupServer, handlers }),
  'MSW 3 in Node': overNextMsw,
  'MSW 2 in Chromium': serviceWorker,
  Playwright: playwrightRoute,
};
