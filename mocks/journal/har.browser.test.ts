import { expect, test } from 'vitest';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { serve } from '../adapters/node/node.ts';
import { createMock } from '../mock.ts';

test('a browser replays the responses of a mock from its archive', async () => {
  const mock = createMock({ world: 'demo' });
  const server = await serve(mock);
  const url = `${server.baseUrl}/stream?limit=2`;
  const headers = { authorization: 'Bearer test-demo' };
  const expected = await (await fetch(url, { headers })).json();
  const archive = await fetch(`${server.controlUrl}/requests.har`, { headers });
  const file = temporaryFile('mock.har', await archive.text());
  await server.close();

  const context = await (await openBrowser()).newContext();
  await context.routeFromHAR(file, { notFound: 'abort' });
  const page = await context.newPage();
  const replayed = await page.evaluate(
    async ([address, sent]) => (await fetch(address, { headers: sent })).json(),
    [url, headers] as const,
  );
  expect(replayed).toEqual(expected);
});
