import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Requests' }).getByRole('listitem');

test('requests of an app appear as they come, with headers and bodies', async () => {
  const { page, send } = await openDashboard();
  await openView(page, 'Requests');
  await expectShown(page.getByText('No request yet.'));
  await expectShown(page.getByText(/^curl .*\/api\/stream'$/));
  expect(await send('POST /stream', { name: 'From an app' })).toBe(201);
  await expectShown(rowsOf(page).getByText('POST /api/stream'));
  await rowsOf(page).getByText('POST /api/stream').click();
  const group = (name: string) => page.getByRole('group', { name, exact: true }).innerText();
  expect(await group('Request: headers')).toContain('authorization: Bearer [API key]');
  expect(await group('Request: body')).toBe('{\n  "name": "From an app"\n}');
  expect(await group('Response: headers')).toContain('content-type: application/json');
  expect(await group('Response: body')).toContain('"streamKey": "');
});

test('what the page itself asks for is not among them', async () => {
  const { page, world, send } = await openDashboard();
  await world.createStream({ name: 'Looked at', record: true });
  await page.getByRole('button', { name: 'Add a finished recording' }).click();
  await expectSaid(page, 'Recorded a session of');
  await send('GET /stream');
  expect(world.requests().map(({ operation }) => operation)).toEqual(['listStreams']);
});

test('requests are filtered by operation and by status', async () => {
  const { page, send } = await openDashboard();
  await send('GET /stream');
  await send('GET /stream/unknown');
  await send('POST /stream', { name: 1 });
  await openView(page, 'Requests');
  await expectShown(rowsOf(page).first());
  await page.getByRole('textbox', { name: 'Status' }).fill('4xx');
  await expectSaid(page, '2 requests of 3');
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('createStream');
  await expectSaid(page, '1 request of 3');
  await expectShown(rowsOf(page).getByText('422', { exact: true }));
  expect(await rowsOf(page).count()).toBe(1);
});

test('a reset elsewhere empties the list', async () => {
  const { page, world, send } = await openDashboard();
  await openView(page, 'Requests');
  await send('GET /stream');
  await expectShown(rowsOf(page).first());
  await world.reset();
  await expectShown(page.getByText('No request yet.'));
  await send('GET /session');
  await expectShown(rowsOf(page).getByText('GET /api/session'));
  expect(await rowsOf(page).count()).toBe(1);
});

test('requests go on to appear when a snapshot puts the clock back', async () => {
  const { page, world, send } = await openDashboard();
  world.saveSnapshot('before');
  world.clock.advance('1h');
  await openView(page, 'Requests');
  await send('GET /stream');
  await expectShown(rowsOf(page).getByText('GET /api/stream'));
  await world.restoreSnapshot('before');
  await send('GET /session');
  await expectShown(rowsOf(page).getByText('GET /api/session'));
  expect(await rowsOf(page).count()).toBe(2);
});

test('an address that is none breaks nothing', async () => {
  const { page, world, send } = await openDashboard();
  await send('GET /stream');
  const journal = world.requests().map((exchange) => ({
    ...exchange,
    request: { ...exchange.request, url: 'http://[API key]/' },
  }));
  await world.importState({ ...world.exportState(), journal });
  await openView(page, 'Requests');
  await rowsOf(page).getByText('GET http://[API key]/').click();
  await expectShown(page.getByRole('group', { name: 'Response: body' }));
});

test('an unfolded request stays so when others come', async () => {
  const { page, send } = await openDashboard();
  await openView(page, 'Requests');
  await send('GET /stream');
  await rowsOf(page).getByText('GET /api/stream').click();
  const body = page.getByRole('group', { name: 'Response: body' });
  await expectShown(body);
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  expect(await focused()).toBe('SUMMARY');
  await send('GET /session');
  await expectShown(rowsOf(page).getByText('GET /api/session'));
  expect(await focused()).toBe('SUMMARY');
  expect(await body.isVisible()).toBe(true);
});

test('the journal is saved as an HTTP archive, and the world as lines of JSON', async () => {
  const { page, send } = await openDashboard();
  await send('POST /stream', { name: 'Archived' });
  await openView(page, 'Requests');
  const save = async (name: string): Promise<string> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return text(await (await download).createReadStream());
  };
  expect(JSON.parse(await save('Download HAR'))).toMatchObject({
    log: { entries: [{ request: { method: 'POST' } }] },
  });
  await openView(page, 'World');
  const lines = (await save('Download report')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ value: expect.objectContaining({ name: 'Archived' }) }),
      expect.objectContaining({ value: expect.objectContaining({ operation: 'createStream' }) }),
    ]),
  );
});
