import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSaid, expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Chooses a file where the page asks for one. */
async function chooseFile(page: Page, text: string): Promise<void> {
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
  await expectSaid(page, 'The world is that of report.json.');
  await expectShown(page.getByRole('button', { name: 'Of the report' }));
  expect(world.streams()).toMatchObject([{ name: 'Of the report' }]);
});

test('a file that is no report changes nothing, and says why', async () => {
  const { page } = await openDashboard({ refuses: true });
  await chooseFile(page, 'no JSON');
  await expectShown(page.getByRole('alert').filter({ hasText: 'report.json: expected the JSON' }));
  await chooseFile(page, '{"version":2}');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await expectShown(page.getByRole('alert').filter({ hasText: /^422: .*version/ }));
});

test('without a world its controls cannot be used, and its clock is gone', async () => {
  const { page } = await openDashboard({ refuses: true });
  const controls = [
    '+1 s',
    'Advance',
    'Download report (with requests)',
    'Load report',
    'Reset world',
  ];
  const expectEach = async (disabled: boolean): Promise<void> => {
    for (const name of controls) {
      await expectShown(page.getByRole('button', { name, exact: true, disabled }));
    }
  };
  await expectEach(false);
  await page.getByLabel('API key').fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await expectShown(page.getByText('not connected'));
  expect(await page.locator('#connection').getAttribute('class')).toBe('badge failed');
  expect(await page.locator('#now').innerText()).toBe('–');
  await expectEach(true);
});
