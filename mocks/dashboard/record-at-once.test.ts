import { expect, test } from 'vitest';
import { expectSaid, expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a finished recording of so many seconds is added', async () => {
  const { page, world } = await openDashboard({ recordingDelay: 0 });
  await world.createStream({ name: 'Recorded', record: true });
  await page.getByLabel('Seconds').fill('90.5');
  await page.getByRole('button', { name: 'Add a finished recording' }).click();
  await expectSaid(page, 'Recorded a session of 1 min 30 s.');
  expect(world.sessions()).toMatchObject([{ recordingStatus: 'ready' }]);
});

test('no finished recording is added while a stream is live, and the page says why', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Live', record: true });
  await world.start(id);
  const button = (disabled: boolean) =>
    page.getByRole('button', { name: 'Add a finished recording', disabled });
  await expectShown(button(true));
  expect(await button(true).getAttribute('aria-describedby')).toBe('live-hint');
  await expectShown(page.locator('#live-hint').getByText('Stop the stream'));
  await page.getByRole('button', { name: 'Stop' }).click();
  await expectShown(button(false));
});

test('where recording is off, the page asks to switch it on first', async () => {
  const { page, world } = await openDashboard();
  await world.createStream({ name: 'Unrecorded' });
  const record = async (reply: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a finished recording' }).click();
    await expectShown(page.getByRole('dialog').getByText('Recording is off'));
    await page.getByRole('dialog').getByRole('button', { name: reply }).click();
  };
  await record('Cancel');
  await record('Switch on and record');
  await expectSaid(page, 'Recorded a session of 30 s.');
  expect(world.streams()).toMatchObject([{ record: true }]);
  expect(world.sessions()).toMatchObject([{ record: true }]);
});
