import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Requests' }).getByRole('listitem');

async function filterStatus(page: Page, status: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Status' }).fill(status);
}

test('a filter that nothing matches says so, and is taken away by a button', async () => {
  const { page, send } = await openDashboard();
  await send('GET /stream');
  await openView(page, 'Requests');
  await filterStatus(page, '404');
  await expectShown(page.getByText('No request matches this filter.'));
  await page.getByRole('button', { name: 'Show all' }).click();
  await expectShown(rowsOf(page).first());
  expect(await page.getByRole('textbox', { name: 'Status' }).inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Show all' }).isVisible()).toBe(false);
});

test('a status that is none is told of beside its field, and goes with a better one', async () => {
  const { page, send } = await openDashboard();
  await send('GET /stream');
  await openView(page, 'Requests');
  await expectShown(rowsOf(page).first());
  await filterStatus(page, 'many');
  await expectShown(page.getByRole('alert').filter({ hasText: 'Give a status such as 404' }));
  expect(await rowsOf(page).count()).toBe(0);
  await filterStatus(page, '2xx');
  await expectShown(rowsOf(page).first());
  expect(await page.locator('#page-status-error').count()).toBe(0);
});

test('what players fetch is out of sight until it is asked for', async () => {
  const { page, server, send } = await openDashboard();
  await fetch(`${server.origin}/hls/unknown/index.m3u8`);
  await send('GET /stream');
  await openView(page, 'Requests');
  await expectShown(rowsOf(page).getByText('GET /api/stream'));
  expect(await rowsOf(page).count()).toBe(1);
  await page.getByLabel('Without media (1)').uncheck();
  await expectSaid(page, '2 requests of 2');
  await expectShown(rowsOf(page).getByText('GET /hls/unknown/index.m3u8'));
});

test('the address has the filter, and chips set it', async () => {
  const { page, world, send } = await openDashboard();
  world.addFault({ effect: 'status', status: 503, operation: 'listStreams', times: 1 });
  await send('GET /stream');
  await send('GET /stream');
  await send('GET /stream/unknown');
  await openView(page, 'Requests');
  await page.getByRole('button', { name: '4xx' }).click();
  await expectSaid(page, '1 request of 3');
  expect(new URL(page.url()).hash).toBe('#requests?media=0&status=4xx');
  await page.reload();
  await expectSaid(page, '1 request of 3');
  await page.getByRole('button', { name: '4xx', pressed: true }).click();
  await page.getByRole('button', { name: 'faulted' }).click();
  await expectShown(rowsOf(page).getByText('503', { exact: true }));
  expect(await rowsOf(page).count()).toBe(1);
});

test('headers, bodies and the request as a line for a shell are copied', async () => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, server, send } = await openDashboard({ context });
  await send('POST /stream', { name: "Peter's" });
  await openView(page, 'Requests');
  await rowsOf(page).getByText('POST /api/stream').click();
  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy ${name}` }).click();
    await expectSaid(page, `Copied ${name}.`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied('headers of the request')).toContain('authorization: Bearer [API key]');
  expect(await copied('body of the request')).toBe(`{"name":"Peter's"}`);
  expect(await copied('body of the response')).toContain('"streamKey":');
  const line = await copied('as curl');
  expect(line).toMatch(/^curl -i --globoff -X 'POST' -H /);
  expect(line).toContain(" -H 'authorization: Bearer test-demo' ");
  expect(line).not.toContain('content-length');
  const end = `--data-raw '{"name":"Peter'\\''s"}' --url '${server.baseUrl}/stream'`;
  expect(line.endsWith(end)).toBe(true);
});

test('times have milliseconds', async () => {
  const { page, world, send } = await openDashboard();
  world.clock.advance(7);
  await send('GET /stream');
  await openView(page, 'Requests');
  await expectShown(rowsOf(page).getByText(/:00\.007$/));
});
