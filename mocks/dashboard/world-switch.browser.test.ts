import { expect, test } from 'vitest';
import {
  copied,
  expectShown,
  openView,
  press,
  rowsOf,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Sends requests with a key as the app of somebody else would. */
async function sendAs(apiKey: string, baseUrl: string, times: number): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  for (let sent = 0; sent < times; sent += 1) await fetch(`${baseUrl}/stream`, { headers });
}

test('without requests, the page has what an app needs, and says under which keys some are', async () => {
  const { page, mock, server } = await openDashboard();
  await openView(page, 'Requests');
  expect(await copied(page, 'base URL')).toBe(server.baseUrl);
  expect(await copied(page, 'API key')).toBe(mock.apiKey);
  await sendAs('test-branch', server.baseUrl, 2);
  await sendAs('test-other', server.baseUrl, 1);
  await expectShown(page.getByText('3 requests under other keys:'));
  await press(page, 'Show the world of test-branch');
  await expect.poll(() => rowsOf(page, 'Requests').count()).toBe(2);
  await expectShown(page.getByRole('banner').getByText('test-branch'));
});

test('the name of the world opens the keys in use, and each shows its world', async () => {
  const { page, mock, server } = await openDashboard();
  await (await mock.world('test-branch')).createStream({ name: 'Of the branch' });
  await sendAs('test-branch', server.baseUrl, 12);
  await press(page, 'World test-demo');
  const worlds = page.getByRole('list', { name: 'Worlds' });
  await expect
    .poll(() => worlds.getByRole('listitem').allInnerTexts())
    .toEqual(['test-branch\n12 requests', 'test-demo\n0 requests']);
  await worlds.getByRole('button', { name: /^test-branch/ }).click();
  await expectShown(page.getByRole('heading', { name: 'Of the branch' }));
});

test('with keys that are secret, the name of the world opens none of them', async () => {
  const apiKeys = ['first-s3cret', 'second-s3cret'] as const;
  const { page, mock } = await openDashboard({ apiKeys });
  await mock.world(apiKeys[1]);
  await page.getByLabel('API key').fill(apiKeys[0]);
  await press(page, 'Open');
  await press(page, /^World /);
  await expectShown(page.getByRole('banner').getByRole('textbox', { name: 'API key' }));
  expect(await page.getByRole('list', { name: 'Worlds' }).count()).toBe(0);
  expect(await page.locator('body').innerText()).not.toContain('s3cret');
});
