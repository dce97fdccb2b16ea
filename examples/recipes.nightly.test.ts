import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useBrowser } from '../tools/browser.test-support.ts';
import { freePort } from '../tools/command-line.test-support.ts';
import { runScript, useProject } from './ci/ci.test-support.ts';

const browser = useBrowser();
const { folder } = useProject(join(import.meta.dirname, 'recipes'));

/** The text of a page, or why there is none. */
async function read(address: string, init?: RequestInit): Promise<string> {
  const response = await fetch(address, init).catch(
    (exception: Error) => new Response(exception.message),
  );
  return response.text();
}

test('Jest runs tests against a mock that it starts', async () => {
  const { printed } = await runScript('cd jest && npx jest', folder);
  expect(printed).toContain('Tests:       1 passed, 1 total');
  expect(printed).not.toContain('did not exit');
});

test('Next.js shows the streams of a mock that it starts, and passes on requests of pages', async () => {
  const port = await freePort();
  const mockPort = await freePort();
  const env = {
    LIVESTREAM_URL: `http://127.0.0.1:${mockPort}/api`,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  await runScript(`npx next dev next --port ${port} &`, folder, env);
  const app = `http://127.0.0.1:${port}`;
  await expect.poll(() => read(app)).toMatch(/<ul>(<li>[^<]+<\/li>){6}<\/ul>/);
  const headers = { authorization: 'Bearer test-demo' };
  expect(JSON.parse(await read(`${app}/api/stream`, { headers }))).toHaveLength(6);
});

test('the recipes in TypeScript compile', async () => {
  expect(await runScript('npx tsc', folder)).toEqual({ status: 0, printed: '' });
});

test('vitest tests a component in jsdom', async () => {
  const { printed } = await runScript('npx vitest run --root jsdom', folder);
  expect(printed).toContain('1 passed');
});

test('Storybook shows a component with the streams of each story', async () => {
  const port = await freePort();
  const start = `npx storybook dev --ci --disable-telemetry --config-dir storybook/.storybook --port ${port} &`;
  await runScript(`npx msw init storybook/public; ${start}`, folder);
  const app = `http://127.0.0.1:${port}`;
  await expect.poll(() => read(`${app}/index.json`)).toContain('stream-list--live');
  const page = await browser().newPage();
  for (const { story, shown } of [
    { story: 'empty', shown: 'No streams yet' },
    { story: 'live', shown: 'Harbour camera (live)' },
  ]) {
    await page.goto(`${app}/iframe.html?viewMode=story&id=stream-list--${story}`);
    await page.getByText(shown).waitFor({ timeout: 120_000 });
  }
});
