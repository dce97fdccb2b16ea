import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stateText } from '../http/request.test-support.ts';
import {
  copied,
  expectSaid,
  expectShown,
  openView,
  openWorld,
  press,
  reply,
  rowsOf,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Chooses a file to load, and accepts or dismisses the confirmation. */
async function chooseFile(page: Page, text: string, answer: 'accept' | 'dismiss'): Promise<void> {
  await openView(page, 'World');
  reply(page, answer);
  const file = { name: 'report.jsonl', mimeType: '', buffer: Buffer.from(text) };
  await page.getByLabel('Load report').setInputFiles(file);
}

test('a report is loaded after a confirmation, and any other file changes nothing', async () => {
  const { page, mock, world } = await openDashboard({ refuses: true });
  const other = await mock.world('test-other');
  await other.createStream({ name: 'Of the report' });
  const report = stateText(other.exportState({ journal: true }));
  await chooseFile(page, report, 'dismiss');
  expect(world.streams()).toEqual([]);
  await chooseFile(page, report, 'accept');
  await expectSaid(page, 'Loaded report.jsonl.');
  await openView(page, 'Streams');
  await expectShown(page.getByRole('button', { name: 'Of the report' }));
  await chooseFile(page, '{"version":1}', 'accept');
  await expectShown(page.getByRole('alert').filter({ hasText: 'version 2' }));
  expect(world.streams()).toMatchObject([{ name: 'Of the report' }]);
});

test('the world is reset after a confirmation', async () => {
  const { page, world } = await openDashboard();
  await world.createStream({ name: 'Kept for now' });
  await openView(page, 'World');
  reply(page, 'accept');
  await press(page, 'Reset world');
  await expectSaid(page, 'Reset the world.');
  expect(world.streams()).toEqual([]);
});

test('a snapshot is saved, restored, replaced after a confirmation, and removed', async () => {
  const { page, world } = await openDashboard();
  await openView(page, 'World');
  await page.getByRole('textbox', { name: 'Name' }).fill('still empty');
  await press(page, 'Save snapshot');
  await expectSaid(page, 'Saved still empty.');
  await world.createStream({ name: 'Later' });
  await press(page, 'Restore still empty');
  await expectSaid(page, 'Restored still empty.');
  expect(world.streams()).toEqual([]);
  await page.getByRole('textbox', { name: 'Name' }).fill('still empty');
  reply(page, 'accept');
  await press(page, 'Save snapshot');
  await expectSaid(page, 'Saved still empty.');
  await press(page, 'Remove still empty');
  await expectShown(page.getByText('No snapshots yet.'));
  expect(world.snapshots).toEqual([]);
});

test('a clock that stands still is advanced by the given time, and set to a date', async () => {
  const { page, world } = await openDashboard({ context: { timezoneId: 'UTC' } });
  const note = page.getByRole('banner').locator('.badge.waiting');
  await expect.poll(() => note.innerText()).toBe('stands still');
  const clock = page.locator('#now');
  expect(await clock.getAttribute('datetime')).toBe('2026-01-01T00:00:00.000Z');
  const before = world.clock.now();
  await openView(page, 'World');
  await page.getByLabel('Advance by').fill('2h');
  await press(page, 'Advance');
  await expectSaid(page, 'Advanced the clock by 2h.');
  expect(world.clock.now() - before).toBe(2 * 3_600_000);
  await page.getByLabel('Date and time').fill('2027-01-15T12:00:00');
  await press(page, 'Set the clock');
  await expectSaid(page, 'Set the clock to 15 Jan 2027');
  expect(world.clock.now()).toBe(Date.UTC(2027, 0, 15, 12));
});

test('the clock of a world keeps running, and the page says when it is ahead, faster or paused', async () => {
  const { page, world } = await openDashboard({ now: Date.now });
  const displayedTime = () => page.locator('#now').getAttribute('datetime');
  await expectShown(page.locator('#now[datetime]'));
  const before = await displayedTime();
  await expect.poll(displayedTime).not.toBe(before);
  const note = page.getByRole('banner').locator('.badge.waiting');
  world.clock.advance('2h');
  await expect.poll(() => note.innerText()).toMatch(/^(2 h|1 h 59 min) ?.*ahead$/);
  await openView(page, 'World');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('60 times normal speed');
  await expectSaid(page, 'The clock runs at 60 times normal speed.');
  await expect.poll(() => note.innerText()).toBe('60× speed');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('paused');
  await expect.poll(() => note.innerText()).toBe('paused');
});

test('another key shows another world and nothing of the first; a wrong key is reported', async () => {
  const { page, mock, world } = await openDashboard({ refuses: true });
  await world.createStream({ name: 'Of the first' });
  await expectShown(page.getByRole('button', { name: 'Of the first' }));
  await (await mock.world('test-other')).createStream({ name: 'Of the other' });
  await openWorld(page, 'test-other');
  await openView(page, 'Streams');
  await expect.poll(() => rowsOf(page, 'Streams').allInnerTexts()).toEqual(['Of the other']);
  await openWorld(page, 'wrong');
  await expectShown(
    page.getByRole('alert').filter({ hasText: 'Unknown key. Use one that begins with test-.' }),
  );
  expect(await page.getByRole('button', { name: '+1 h' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Reset world' }).count()).toBe(0);
});

test('the page has what an app needs to connect, and names the dialect', async () => {
  const behaviours = { 'keys.spelling': { mp4URL: 'mp4Address' } };
  const dialect = { dialect: 3, name: 'Acme <b>', behaviours } as const;
  const { page, server } = await openDashboard({ dialect });
  await expectShown(page.getByRole('banner').getByText('test-demo'));
  await page.getByRole('link', { name: 'Dialect: Acme <b>' }).click();
  await expectShown(page.getByText('It spells mp4URL as mp4Address (LIST-13, MEDIA-6).'));
  expect(await copied(page, 'base URL')).toBe(server.baseUrl);
  const code = (await copied(page, 'fetch')).replace(/;$/, '');
  const send = new Function(`return (async () => ${code})()`) as () => Promise<Response>;
  expect((await send()).status).toBe(200);
  expect(await copied(page, 'SDK')).toContain(server.baseUrl);
});

test('the page says like which service the mock behaves', async () => {
  const { page } = await openDashboard({ variant: 'oldest-first' });
  await page.getByRole('link', { name: 'Variant: oldest-first' }).click();
  await expectShown(page.getByText('oldest-first: Lists came oldest first.'));
});

test('a secret key is asked for and copied, but never shown', async () => {
  const apiKey = "test-o'brien";
  const { page, server, world, send } = await openDashboard({ apiKeys: [apiKey] });
  await world.createStream({ name: 'Behind a secret' });
  expect(await (await fetch(server.origin)).text()).not.toContain('brien');
  await expectShown(page.getByText('Enter an API key to see its world.'));
  await page.keyboard.type(apiKey);
  await page.keyboard.press('Enter');
  await expectShown(page.getByRole('button', { name: 'Behind a secret' }));
  await openView(page, 'Requests');
  await send('GET /stream');
  await page.getByText('GET /api/stream', { exact: true }).click();
  expect(await copied(page, 'as curl')).toContain("authorization: Bearer test-o'\\''brien");
  await expectShown(rowsOf(page, 'Requests').getByText("-H 'authorization: Bearer [API key]'"));
  expect(await page.locator('body').innerText()).not.toContain('brien');
});

test('until there is a world, the page has no views and no clock', async () => {
  const { page } = await openDashboard({ apiKeys: ['s3cret'] });
  await expectShown(page.getByText('Enter an API key to see its world.'));
  const views = page.getByRole('navigation', { name: 'Views' });
  const time = page.getByRole('region', { name: 'Time' });
  expect([await views.count(), await time.count()]).toEqual([0, 0]);
  await page.getByLabel('API key').fill('s3cret');
  await press(page, 'Open');
  await expectShown(views);
  await expectShown(time);
});
