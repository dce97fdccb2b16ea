import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import {
  copied,
  expectSaid,
  expectShown,
  openView,
  press,
  rowsOf,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Opens the view of the requests in a new world. `row` finds the row that shows a text. */
async function openRequests() {
  const setup = await openDashboard();
  await openView(setup.page, 'Requests');
  const rows = rowsOf(setup.page, 'Requests');
  const row = (text: string | RegExp) => rows.getByText(text, { exact: true });
  return { ...setup, rows, row };
}

test('requests of an app appear as they arrive, with headers and bodies, and stay expanded', async () => {
  const { page, row, send } = await openRequests();
  await expectShown(page.getByText('No requests yet.'));
  expect(await send('POST /stream', { name: 'From an app' })).toBe(201);
  await row('POST /api/stream').click();
  const group = (name: string) => page.getByRole('group', { name, exact: true }).innerText();
  expect(await group('Request')).toContain('authorization: Bearer [API key]');
  expect(await group('Request')).toContain('\n\n{\n  "name": "From an app"\n}');
  expect(await group('Response')).toContain('content-type: application/json');
  expect(await group('Response')).toContain('"streamKey": "');
  // It stays open and focused when other requests arrive.
  await send('GET /session');
  await expectShown(row('GET /api/session'));
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
  expect(await group('Response')).toContain('"streamKey": "');
});

test('on a phone the path of a request fills its lines, and the rest is below', async () => {
  const { page, rows, send } = await openRequests();
  await page.setViewportSize({ width: 390, height: 844 });
  await send('PATCH /stream/4f1c7a90-91d2-4c1e-8f53-0d6b1f2a7c11/record', { record: true });
  const path = rows.getByText(/^PATCH /);
  await expectShown(path);
  const pathBox = await path.boundingBox();
  const operationBox = await rows.getByText('setRecord').boundingBox();
  if (pathBox === null || operationBox === null) expect.fail('expected both in the row');
  const lineHeight = await path.evaluate((code) => parseFloat(getComputedStyle(code).lineHeight));
  expect(pathBox.height / lineHeight).toBeLessThan(3);
  expect(operationBox.y).toBeGreaterThanOrEqual(pathBox.y + pathBox.height);
});

test('requests are filtered by text, operation, status and fault, and all shown again', async () => {
  const { page, world, rows, send } = await openRequests();
  world.addFault({ effect: 'status', status: 503, operation: 'listSessions' });
  await send('POST /stream', { name: 'Harbour camera' });
  await send('POST /stream', { name: 1 });
  await send('GET /session');
  await page.getByLabel('Search').fill('HARBOUR');
  await expectSaid(page, '1 request of 3');
  await page.getByLabel('Search').fill('');
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('createStream');
  await expectSaid(page, '2 requests of 3');
  await press(page, '4xx');
  await expectSaid(page, '1 request of 3');
  await page.getByLabel('Search').fill('none of these');
  await expectShown(page.getByText('No requests match this filter.'));
  await press(page, 'Show all');
  await expect.poll(() => rows.count()).toBe(3);
  await expect.poll(() => new URL(page.url()).hash).toBe('#requests');
  await press(page, 'faulted');
  await expectSaid(page, '1 request of 3');
  // The address of the page contains the filter.
  await expect.poll(() => new URL(page.url()).hash).toBe('#requests?fault=any');
  await page.reload();
  await expectSaid(page, '1 request of 3');
});

test('requests of a player are one line until it is expanded', async () => {
  const { page, server, rows, row, send } = await openRequests();
  await send('GET /stream');
  for (let sent = 0; sent < 3; sent += 1) await fetch(`${server.origin}/hls/none/index.m3u8`);
  await send('GET /session');
  await expectShown(row('GET /api/session'));
  expect(await rows.count()).toBe(3);
  await page.getByText('3 requests from a player').click();
  expect(await rows.count()).toBe(6);
  await expectShown(row('GET /hls/none/index.m3u8').first());
});

test('a request is copied in parts, as a line for curl and as code, and replayed', async () => {
  const { page, world, server, row, send } = await openRequests();
  await send('POST /stream', { name: "Peter's" });
  await row('POST /api/stream').click();
  expect(await copied(page, 'body of the request')).toBe(`{"name":"Peter's"}`);
  const line = await copied(page, 'as curl');
  const end = `--data-raw '{"name":"Peter'\\''s"}' --url '${server.baseUrl}/stream'`;
  expect(line.endsWith(end)).toBe(true);
  const run = new Function(`return (async () => { ${await copied(page, 'as fetch')} })()`);
  await (run as () => Promise<void>)();
  await press(page, 'Replay this request');
  await expectSaid(page, 'The request was sent again, and got 201.');
  const names = world.streams().map(({ name }) => name);
  expect(names).toEqual(["Peter's", "Peter's", "Peter's"]);
});

test('a fault is made from a request, and gives the same response', async () => {
  const { page, world, row, send } = await openRequests();
  const { id } = await world.createStream({ name: 'Gone soon' });
  expect(await send(`GET /stream/${id}x`)).toBe(404);
  await row(/^GET \/api\/stream/).click();
  await press(page, 'Make a fault from this');
  await page.getByLabel('Id in path').fill(id);
  await press(page, 'Add fault');
  await expectSaid(page, 'Added the fault.');
  expect(world.faults).toMatchObject([
    { fault: { effect: 'answer', status: 404, operation: 'retrieveStream', id } },
  ]);
  expect(await send(`GET /stream/${id}`)).toBe(404);
});

test('the journal is saved as an HTTP archive', async () => {
  const { page, send } = await openRequests();
  await send('POST /stream', { name: 'Archived' });
  const download = page.waitForEvent('download');
  await press(page, 'Download HAR');
  const archive = await text(await (await download).createReadStream());
  expect(JSON.parse(archive)).toMatchObject({
    log: { entries: [{ request: { method: 'POST' } }] },
  });
});
