import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from './browser.test-support.ts';
import { fencedBlocks } from './code-blocks.ts';
import { type MswPackage, openTab, reload, serveApp } from './web-app.test-support.ts';

const root = resolve(import.meta.dirname, '..');

/** The only TypeScript block of docs/frontend.md that imports from there. */
function recipe(imported: string): string {
  const blocks = fencedBlocks(readFileSync(resolve(root, 'docs/frontend.md'), 'utf8'));
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
    expect(await fetchMedia(tab.page)).toEqual([200, 200]);
    expect(await send(tab.page, 'POST /api/stream', '{"name":"kept"}')).toBe(201);
    await reload(tab);
    expect(await countStreams(tab.page)).toBe(7);
    expect(await send(tab.page, 'POST /_mock/reset')).toBe(204);
    await reload(tab);
    expect(await countStreams(tab.page)).toBe(6);
    await expect.poll(() => logged.join('\n')).toContain('POST https://livestream.test/api/stream');
    expect(logged.join('\n'), 'media in the console').not.toContain('/recordings/');
    expect(tab.complaints).toEqual([]);
  },
);

/** Fetches a recording as MP4 and as a playlist; the statuses. */
function fetchMedia(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const headers = { authorization: 'Bearer test-demo' };
    const response = await fetch('https://livestream.test/api/session?record=1', { headers });
    const sessions: { mp4URL?: string; recordingUrl?: string }[] = await response.json();
    const { mp4URL = '', recordingUrl = '' } = sessions.find(({ mp4URL }) => mp4URL) ?? {};
    const fetched = await Promise.all([mp4URL, recordingUrl].map((address) => fetch(address)));
    return fetched.map(({ status }) => status);
  });
}

function send(page: Page, line: string, body: string | null = null): Promise<number> {
  return page.evaluate(
    async ({ line, body }) => {
      const [method = '', path = ''] = line.split(' ');
      const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
      const response = await fetch(`https://livestream.test${path}`, { method, headers, body });
      return response.status;
    },
    { line, body },
  );
}

function countStreams(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const response = await fetch('https://livestream.test/api/stream', {
      headers: { authorization: 'Bearer test-demo' },
    });
    const streams: unknown[] = await response.json();
    return streams.length;
  });
}
