import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../../tools/browser.test-support.ts';
import {
  openTab,
  reload,
  serveApp,
  type Tab,
  type WebApp,
} from '../../../tools/web-app.test-support.ts';
import { mswMajors } from './majors.test-support.ts';

const browser = useBrowser();

const baseUrl = 'https://livestream.test/api';

const source = `
import { browserStore, createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';

const mock = createMock({ recordingDelay: 0, store: browserStore() });
const worker = setupWorker(...handlers(mock, { baseUrl: '${baseUrl}' }));
await worker.start({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' });
Object.assign(window, { mock });
`;

/** A response to the page's `fetch`. */
interface Fetched {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request from within the page. */
function send(page: Page, line: string, body?: unknown): Promise<Fetched> {
  return page.evaluate(
    async ({ line, body, baseUrl }) => {
      const [method = '', path = ''] = line.split(' ');
      const response = await fetch(new URL(`.${path}`, `${baseUrl}/`), {
        method,
        headers: { authorization: 'Bearer test-demo', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    { line, body, baseUrl },
  );
}

async function sendControl(page: Page, line: string, body?: unknown): Promise<Fetched> {
  return send(page, line.replace(' /', ' /../_mock/'), body);
}

async function names(page: Page): Promise<string[]> {
  const { body } = await send(page, 'GET /stream');
  return (body as { name: string }[]).map(({ name }) => name);
}

describe.each(mswMajors)('with %s in a browser,', (_, msw) => {
  let app: WebApp;
  let context: BrowserContext;
  let tab: Tab;

  beforeAll(async () => {
    app = await serveApp(source, msw);
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    context = await browser().newContext();
    onTestFinished(() => context.close());
    tab = await openTab(context, app);
  });

  test.each(['the control API', 'the world'])(
    'changes survive a reload, until %s resets the world',
    async (by) => {
      await send(tab.page, 'POST /stream', { name: 'kept' });
      await reload(tab);
      expect(await names(tab.page)).toEqual(['kept']);
      if (by === 'the world') {
        await tab.page.evaluate(async () => {
          const { mock } = window as unknown as { mock: import('../../mock.ts').Mock };
          await (await mock.world()).reset();
        });
      } else expect((await sendControl(tab.page, 'POST /reset')).status).toBe(204);
      expect(await names(tab.page)).toEqual([]);
      await reload(tab);
      expect(await names(tab.page)).toEqual([]);
      expect(tab.complaints).toEqual([]);
    },
  );

  test('the clock survives a reload', async () => {
    await sendControl(tab.page, 'POST /clock', { advance: '10m' });
    const before = await sendControl(tab.page, 'GET /clock');
    await reload(tab);
    expect(await sendControl(tab.page, 'GET /clock')).toEqual(before);
  });

  test('two tabs see the changes of each other', async () => {
    const second = await openTab(context, app);
    expect(await names(second.page)).toEqual([]);
    await send(tab.page, 'POST /stream', { name: 'from the first' });
    await expect.poll(() => names(second.page)).toEqual(['from the first']);
    await send(second.page, 'POST /stream', { name: 'from the second' });
    await expect.poll(() => names(tab.page)).toEqual(['from the second', 'from the first']);
    await sendControl(tab.page, 'POST /reset');
    await expect.poll(() => names(second.page)).toEqual([]);
  });
});
