import { expect, test } from 'vitest';
import {
  expectSaid,
  expectShown,
  openView,
  openWorld,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('another key shows another world, until the tab is closed', async () => {
  const { page, mock, world } = await openDashboard();
  await world.createStream({ name: 'Of the first' });
  await (await mock.world('test-other')).createStream({ name: 'Of the other' });
  await expectShown(page.getByRole('button', { name: 'Of the first' }));
  await openWorld(page, 'test-other');
  await openView(page, 'Streams');
  await expectShown(page.getByRole('button', { name: 'Of the other' }));
  expect(await page.getByRole('button', { name: 'Of the first' }).count()).toBe(0);
  await page.reload();
  await expectShown(page.getByRole('button', { name: 'Of the other' }));
});

test('what happens in the world that was left is not shown any more', async () => {
  const { page, mock, world } = await openDashboard();
  const other = await mock.world('test-other');
  await openWorld(page, 'test-other');
  await openView(page, 'Streams');
  await world.createStream({ name: 'Too late' });
  await other.createStream({ name: 'Seen' });
  await expectShown(page.getByRole('button', { name: 'Seen' }));
  expect(await page.getByRole('button', { name: 'Too late' }).count()).toBe(0);
});

test('a wrong key says which keys are known', async () => {
  const { page } = await openDashboard({ refuses: true });
  await openWorld(page, 'wrong');
  await expectShown(
    page.getByRole('alert').filter({ hasText: 'Unknown key. Use one that begins with test-.' }),
  );
  await expectShown(page.getByText('not connected'));
});

test('the header names the world, and the page has what an app needs to connect', async () => {
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, server } = await openDashboard({ context });
  await expectShown(page.getByRole('banner').getByText('test-demo'));
  await openView(page, 'World');
  const copied = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy ${name}` }).click();
    await expectSaid(page, `Copied ${name}.`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied('base URL')).toBe(server.baseUrl);
  const code = await copied('fetch');
  const send = new Function(`return (async () => ${code.replace(/;$/, '')})()`);
  expect((await (send as () => Promise<Response>)()).status).toBe(200);
  expect(await copied('SDK')).toContain(server.baseUrl);
});

test('an exact key is asked for, and is never a part of the page', async () => {
  const { page, server, world } = await openDashboard({ apiKeys: ['test-secret'] });
  await world.createStream({ name: 'Behind a secret' });
  expect(await (await fetch(server.origin)).text()).not.toContain('test-secret');
  await expectShown(page.getByText('Enter an API key to see its world.'));
  await page.keyboard.type('test-secret');
  await page.keyboard.press('Enter');
  await expectShown(page.getByRole('button', { name: 'Behind a secret' }));
  await page.getByText('curl lines').click();
  expect(await page.getByText('Bearer [API key]').count()).toBeGreaterThan(0);
  expect(await page.locator('body').innerText()).not.toContain('test-secret');
});

test('a secret key is copied with the code of a request, and not shown in it', async () => {
  const apiKey = "test-o'brien";
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, send } = await openDashboard({ apiKeys: [apiKey], context });
  await expectShown(page.getByText('Enter an API key to see its world.'));
  await page.keyboard.type(apiKey);
  await page.keyboard.press('Enter');
  await openView(page, 'Requests');
  await send('GET /stream');
  await page.getByText('GET /api/stream').click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expectSaid(page, 'Copied as curl.');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("authorization: Bearer test-o'\\''brien");
  const code = await page.getByRole('group', { name: 'Code' }).innerText();
  expect(code).toContain('authorization: Bearer [API key]');
  expect(code).not.toContain('brien');
});
