import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../tools/browser.test-support.ts';
import {
  openTab,
  reload,
  serveApp,
  type Tab,
  type WebApp,
} from '../../tools/web-app.test-support.ts';
import type { Mock } from '../mock.ts';

const browser = useBrowser();

const source = `
import { browserStore, createMock } from 'livestream-mock';

const mock = createMock({ recordingDelay: 0, store: browserStore() });
Object.assign(window, { mock });
`;

let app: WebApp;
let context: BrowserContext;
let tab: Tab;

beforeAll(async () => {
  app = await serveApp(source);
});

afterAll(() => app.close());

beforeEach(async () => {
  context = await browser().newContext();
  onTestFinished(() => context.close());
  tab = await openTab(context, app);
});

/** Sends a request to the page's mock. Returns the status, and the names of streams in the response. */
function send(page: Page, line: string, name?: string): Promise<[status: number, names: string[]]> {
  return page.evaluate(
    async ({ line, name }) => {
      const { mock } = window as unknown as { mock: Mock };
      const [method = '', path = ''] = line.split(' ');
      const answer = await mock.fetch(
        new Request(`https://livestream.test${path}`, {
          method,
          headers: { authorization: 'Bearer test-demo', 'content-type': 'application/json' },
          ...(name !== undefined && { body: JSON.stringify({ name }) }),
        }),
      );
      const body: { name: string } | { name: string }[] = await answer.json();
      return [answer.status, [body].flat().map((stream) => stream.name)];
    },
    { line, name },
  );
}

const create = (page: Page, name: string): ReturnType<typeof send> =>
  send(page, 'POST /api/stream', name);
const list = (page: Page): ReturnType<typeof send> => send(page, 'GET /api/stream');

const key = 'livestream-mock/test-demo';

test('each key has its own world, which is kept under its name', async () => {
  await create(tab.page, 'kept');
  await reload(tab);
  const found = await tab.page.evaluate(async () => {
    const { mock } = window as unknown as { mock: Mock };
    const read = async (apiKey: string): Promise<number> =>
      (await mock.world(apiKey)).streams().length;
    return [
      await read('test-demo'),
      await read('test-other'),
      Object.keys(localStorage).toSorted(),
    ];
  });
  expect(found).toEqual([1, 0, [key, 'livestream-mock/test-other']]);
});

/** What may be stored instead of a world, and what the warning says about it. */
const unreadable = [
  ['no JSON', '{"at":', 'a syntax error in line 1, column 7'],
  ['another version', '{"at":0,"state":{"version":1}}', 'state.version: expected 2'],
] as const;

test.each(unreadable)('%s is reported once, and the world starts afresh', async (_, text, told) => {
  await tab.page.evaluate(([at = '', kept = '']) => localStorage.setItem(at, kept), [key, text]);
  await reload(tab);
  expect(await list(tab.page)).toEqual([200, []]);
  expect(tab.complaints).toEqual([
    expect.stringContaining(`livestream-mock: localStorage "${key}": a world cannot be read`),
  ]);
  expect(tab.complaints[0]).toContain(told);
  await create(tab.page, 'readable');
  await reload(tab);
  expect(await list(tab.page)).toEqual([200, ['readable']]);
  expect(tab.complaints).toHaveLength(1);
});

test('a change without room stays in memory, is reported once, and is kept when there is room', async () => {
  const { page } = tab;
  await create(page, 'kept');
  await page.evaluate(() => {
    let length = 2 ** 22;
    for (let at = 0; length >= 1; at++) {
      try {
        localStorage.setItem(`filler-${at}`, 'x'.repeat(length));
      } catch {
        length = Math.floor(length / 2);
      }
    }
  });
  for (const name of ['second', 'third']) expect(await create(page, name)).toEqual([201, [name]]);
  expect(await list(page)).toEqual([200, ['third', 'second', 'kept']]);
  expect(tab.complaints).toEqual([
    expect.stringContaining(`localStorage "${key}": a world cannot be saved`),
  ]);
  await page.evaluate(() => localStorage.removeItem('filler-0'));
  await create(page, 'fourth');
  await reload(tab);
  expect(await list(page)).toEqual([200, ['fourth', 'third', 'second', 'kept']]);
  expect(tab.complaints).toHaveLength(1);
});

test('if a page may not store anything, its worlds are in memory', async () => {
  await tab.page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  });
  await reload(tab);
  expect(await create(tab.page, 'short-lived')).toEqual([201, ['short-lived']]);
  expect(await list(tab.page)).toEqual([200, ['short-lived']]);
  expect((await send(tab.page, 'GET /recordings/none/index.m3u8'))[0]).toBe(404);
  expect(tab.complaints).toHaveLength(2);
});

test.each([
  ['removes the world', 'removeItem'],
  ['clears the storage', 'clear'],
] as const)('when another tab %s, it starts anew', async (_, method) => {
  const second = await openTab(context, app);
  await create(tab.page, 'removed');
  await expect.poll(() => list(second.page)).toEqual([200, ['removed']]);
  await second.page.evaluate(([method, at]) => localStorage[method](at), [method, key] as const);
  await expect.poll(() => list(tab.page)).toEqual([200, []]);
  await create(tab.page, 'new');
  await expect.poll(() => list(second.page)).toEqual([200, ['new']]);
});

test('browserStore satisfies the contract of a store', async () => {
  const trial = await serveApp(`
import { browserStore } from 'livestream-mock';
import { storeContract } from 'livestream-mock/store-contract';

const openStore = async (name) => browserStore({ name });
const faults = [];
for (const { title, check } of storeContract) {
  await check(openStore).catch((error) => faults.push(title + ': ' + error.message));
}
Object.assign(window, { faults });
`);
  onTestFinished(() => trial.close());
  const { page, complaints } = await openTab(context, trial);
  expect(await page.evaluate('faults')).toEqual([]);
  expect(complaints).toEqual([]);
});
