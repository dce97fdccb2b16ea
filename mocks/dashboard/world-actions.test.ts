import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  expectSaid,
  expectShown,
  openView,
  openWorld,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Chooses a file where the page asks for one. */
async function chooseFile(page: Page, text: string): Promise<void> {
  await openView(page, 'World');
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Load report', exact: true }).click();
  const file = { name: 'report.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await (await asked).setFiles(file);
}

test('a report is loaded after a question', async () => {
  const { page, mock, world } = await openDashboard();
  const other = await mock.world('test-other');
  await other.createStream({ name: 'Of the report' });
  const report = JSON.stringify(other.exportState({ journal: true }));
  await chooseFile(page, report);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(world.streams()).toEqual([]);
  await chooseFile(page, report);
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await expectSaid(page, 'Loaded report.json.');
  await openView(page, 'Streams');
  await expectShown(page.getByRole('button', { name: 'Of the report' }));
  expect(world.streams()).toMatchObject([{ name: 'Of the report' }]);
});

test('a file that is no report changes nothing, and says why', async () => {
  const { page } = await openDashboard({ refuses: true });
  await chooseFile(page, 'no JSON');
  await expectShown(page.getByRole('alert').filter({ hasText: 'report.json is not the JSON' }));
  await chooseFile(page, '{"version":2}');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await expectShown(page.getByRole('alert').filter({ hasText: 'This must be' }));
});

test('without a world only its key can be given, and its clock is gone', async () => {
  const { page } = await openDashboard({ refuses: true });
  const clockIs = async (disabled: boolean): Promise<void> => {
    for (const name of ['+1 s', 'Advance']) {
      await expectShown(page.getByRole('button', { name, exact: true, disabled }));
    }
  };
  await clockIs(false);
  await openWorld(page, 'wrong');
  await expectShown(page.getByText('not connected'));
  expect(await page.locator('#connection').getAttribute('class')).toBe('badge failed');
  expect(await page.locator('#now').innerText()).toBe('–');
  await clockIs(true);
  expect(await page.getByRole('button', { name: 'Reset world' }).count()).toBe(0);
});
