import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stateText } from '../http/request.test-support.ts';
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
  const file = { name: 'report.jsonl', mimeType: '', buffer: Buffer.from(text) };
  await (await asked).setFiles(file);
}

test('a report is loaded after a question', async () => {
  const { page, mock, world } = await openDashboard();
  const other = await mock.world('test-other');
  await other.createStream({ name: 'Of the report' });
  const report = stateText(other.exportState({ journal: true }));
  await chooseFile(page, report);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(world.streams()).toEqual([]);
  await chooseFile(page, report);
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await expectSaid(page, 'Loaded report.jsonl.');
  await openView(page, 'Streams');
  await expectShown(page.getByRole('button', { name: 'Of the report' }));
  expect(world.streams()).toMatchObject([{ name: 'Of the report' }]);
});

test('a file that is no report changes nothing, and says why', async () => {
  const { page } = await openDashboard({ refuses: true });
  for (const [text, told] of [
    ['no JSON', 'JSON'],
    ['{"version":1}', 'version 2'],
  ] as const) {
    await chooseFile(page, text);
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await expectShown(page.getByRole('alert').filter({ hasText: told }));
  }
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

test('a stream is deleted, and the world reset, after a question', async () => {
  const { page, world } = await openDashboard({ world: 'demo' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(world.streams()).toHaveLength(6);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectSaid(page, 'Deleted ');
  expect(world.streams()).toHaveLength(5);
  await openView(page, 'World');
  await page.getByRole('button', { name: 'Reset world' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await expectSaid(page, 'The world was reset.');
  await openView(page, 'Streams');
  await expect.poll(() => page.locator('#streams').getByRole('listitem').count()).toBe(6);
});

test('an open question is cancelled when one goes elsewhere', async () => {
  const { page, world } = await openDashboard({ world: 'demo' });
  await openView(page, 'World');
  await page.getByRole('button', { name: 'Reset world' }).click();
  const question = page.getByRole('dialog');
  await expectShown(question);
  await world.createStream({ name: 'Kept' });
  await page.goBack();
  await question.waitFor({ state: 'hidden' });
  await expectShown(page.getByRole('button', { name: 'Kept' }));
});

test('a snapshot is saved, restored and removed', async () => {
  const { page, world } = await openDashboard();
  await openView(page, 'World');
  await page.getByRole('textbox', { name: 'Name' }).fill('still empty');
  await page.getByRole('button', { name: 'Save the world' }).click();
  await expectSaid(page, 'Saved still empty.');
  await world.createStream({ name: 'Later' });
  await page.getByRole('button', { name: 'Restore still empty' }).click();
  await expectSaid(page, 'Restored still empty.');
  expect(world.streams()).toEqual([]);
  await page.getByRole('button', { name: 'Remove still empty' }).click();
  await expectShown(page.getByText('No snapshot yet.'));
  expect(world.snapshots).toEqual([]);
});

test('a snapshot is replaced only after a question', async () => {
  const { page, world } = await openDashboard();
  world.saveSnapshot('kept');
  await world.createStream({ name: 'Later' });
  await openView(page, 'World');
  const save = async (answer: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Name' }).fill('kept');
    await page.getByRole('button', { name: 'Save the world' }).click();
    await page.getByRole('dialog').getByRole('button', { name: answer }).click();
  };
  await save('Cancel');
  await save('Replace');
  await expectSaid(page, 'Saved kept.');
  await world.reset();
  await world.restoreSnapshot('kept');
  expect(world.streams()).toMatchObject([{ name: 'Later' }]);
});
