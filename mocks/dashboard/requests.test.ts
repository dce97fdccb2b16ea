import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Requests' }).getByRole('listitem');

test('requests are found by a text in their path or in a body', async () => {
  const { page, send } = await openDashboard();
  await send('POST /stream', { name: 'Harbour camera' });
  await send('POST /stream', { name: 'Studio' });
  await send('GET /session');
  await openView(page, 'Requests');
  await page.getByLabel('Search in path and body').fill('HARBOUR');
  await expectSaid(page, '1 request of 3');
  await page.getByLabel('Search in path and body').fill('/session');
  await expectShown(rowsOf(page).getByText('GET /api/session'));
  expect(await rowsOf(page).count()).toBe(1);
});

test('a list that is paused holds back what comes, until it follows again', async () => {
  const { page, send } = await openDashboard();
  await send('GET /stream');
  await openView(page, 'Requests');
  await expectShown(rowsOf(page).first());
  await page.getByRole('button', { name: 'Pause' }).click();
  await send('GET /session');
  await expectSaid(page, 'paused, 1 new');
  expect(await rowsOf(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(2);
  await expectSaid(page, 'following');
});

test('a fault is made from a request, and gives the same response', async () => {
  const { page, world, send } = await openDashboard();
  const { id } = await world.createStream({ name: 'Gone soon' });
  expect(await send(`GET /stream/${id}x`)).toBe(404);
  await openView(page, 'Requests');
  await rowsOf(page).getByText('GET /api/stream').click();
  await page.getByRole('button', { name: 'Make a fault from this' }).click();
  await page.getByLabel('Identifier in path').fill(id);
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expectSaid(page, 'Added the fault.');
  expect(world.faults).toMatchObject([
    { fault: { effect: 'answer', status: 404, operation: 'retrieveStream', id } },
  ]);
  expect(await send(`GET /stream/${id}`)).toBe(404);
});

test('a fault that is made from a request of a player has its playback id', async () => {
  const { page, world, send } = await openDashboard();
  const { playbackId } = await world.createStream({ name: 'Played' });
  await send(`GET /playback/${playbackId}`);
  await openView(page, 'Requests');
  await rowsOf(page).getByText('GET /api/playback').click();
  await page.getByRole('button', { name: 'Make a fault from this' }).click();
  expect(await page.getByLabel('Identifier in path').inputValue()).toBe(playbackId);
});

test('a request is sent again as the app sent it', async () => {
  const { page, world, send } = await openDashboard();
  await send('POST /stream', { name: 'Twice' });
  await openView(page, 'Requests');
  await rowsOf(page).getByText('POST /api/stream').click();
  await page.getByRole('button', { name: 'Replay this request' }).click();
  await expectSaid(page, 'The request was sent again, and got 201.');
  await expect.poll(() => rowsOf(page).count()).toBe(2);
  expect(world.streams().map(({ name }) => name)).toEqual(['Twice', 'Twice']);
});

test('a request is copied as code that sends it again', async () => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, world, send } = await openDashboard({ context });
  await send('POST /stream', { name: "Peter's" });
  await openView(page, 'Requests');
  await rowsOf(page).getByText('POST /api/stream').click();
  await page.getByRole('button', { name: 'fetch', exact: true }).click();
  await page.getByRole('button', { name: 'Copy as fetch' }).click();
  await expectSaid(page, 'Copied as fetch.');
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const run = new Function(`return (async () => { ${code} })()`) as () => Promise<void>;
  await run();
  expect(world.streams().map(({ name }) => name)).toEqual(["Peter's", "Peter's"]);
});

test('requests of an imported journal to elsewhere, and to the control API, are not sent again', async () => {
  const { page, server, world, send } = await openDashboard();
  await send('GET /stream');
  const [exchange] = world.requests();
  const journal = [
    `${server.origin}/_mock/reset`,
    `${server.origin}/%5Fmock/reset`,
    `${server.origin}/%E0/_mock`,
    'http://elsewhere.test/api',
  ].map((url, index) => ({
    ...(exchange as NonNullable<typeof exchange>),
    number: index + 1,
    request: { method: 'POST', url, headers: {} },
  }));
  await world.importState({ ...world.exportState(), journal });
  await openView(page, 'Requests');
  await expect.poll(() => rowsOf(page).count()).toBe(4);
  for (const row of await rowsOf(page).locator('summary').all()) await row.click();
  await expect.poll(() => page.getByRole('heading', { name: 'Code' }).count()).toBe(4);
  expect(await page.getByRole('button', { name: 'Replay this request' }).count()).toBe(0);
});
