import { expect, test } from 'vitest';
import { serveMock } from '../../target/servers.test-support.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';

const browser = useBrowser();

test.each(['GET', 'POST'])(
  'a page sees that its first %s was reset, although the connection had carried a preflight',
  async (method) => {
    const { mock, origin } = await serveMock();
    const page = await browser().newPage();
    await page.goto(`${(await serveMock()).origin}/openapi.json`);
    const send = () =>
      page.evaluate(
        ([url, verb]) =>
          fetch(url, {
            method: verb,
            headers: { authorization: 'Bearer test-demo', 'content-type': 'application/json' },
            ...(verb === 'POST' && { body: '{"name":"Harbour"}' }),
          }).then(
            ({ ok }) => ok,
            (error: Error) => error.message,
          ),
        [`${origin}/api/stream`, method] as const,
      );
    const world = await mock.world();
    world.addFault({ effect: 'reset', times: 1 });
    expect(await send()).toBe('Failed to fetch');
    expect(world.faults.map(({ matched }) => matched)).toEqual([1]);
    expect(await send()).toBe(true);
    await page.close();
  },
);
