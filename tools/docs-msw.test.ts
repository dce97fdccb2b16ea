import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from './browser.test-support.ts';
import { typeScriptIn } from './code-blocks.ts';
import { type MswPackage, openTab, reload, serveApp } from './web-app.test-support.ts';

/** The recipe of docs/frontend.md, with the option that the major of MSW has. */
function browserRecipe(msw: MswPackage): string {
  const docs = readFileSync(new URL('../docs/frontend.md', import.meta.url), 'utf8');
  const recipe = typeScriptIn(docs).find(({ source }) => source.includes("from 'msw/browser';"));
  const { source } = recipe ?? expect.fail('docs/frontend.md has no recipe');
  return msw === 'msw' ? source : source.replace('onUnhandledRequest', 'onUnhandledFrame');
}

test.each(['msw', 'msw-next'] as const)(
  'the recipe for MSW in a browser works when pasted: %s',
  async (msw) => {
    const source = browserRecipe(msw);
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
