import { expect, test } from 'vitest';
import { expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

async function openWithHistory() {
  const setup = await openDashboard({ recordingDelay: 0, context: { timezoneId: 'UTC' } });
  const { page, world } = setup;
  const { id } = await world.createStream({ name: 'Harbour camera' });
  await world.start(id);
  world.clock.advance('2m');
  await world.stop(id);
  await world.setRecord(id, true);
  await world.start(id);
  world.clock.advance('30s');
  const line = page.getByRole('list', { name: 'Timeline' });
  await expect.poll(() => line.getByRole('button').count()).toBe(5);
  return { ...setup, id, line };
}

test('the timeline of a stream has its sessions, its recording and the jumps of the clock', async () => {
  const { line } = await openWithHistory();
  const named = await line
    .getByRole('button')
    .evaluateAll((marks) => marks.map(({ ariaLabel }) => ariaLabel));
  expect(named).toEqual([
    'Session from 1 Jan 2026, 00:00:00, 2 min, not recorded.',
    'The clock was moved on by 2 min at 1 Jan 2026, 00:00:00.',
    'Session from 1 Jan 2026, 00:02:00, live for 28.8 s, recording waiting.',
    'Recording was switched on at 1 Jan 2026, 00:02:00.',
    'The clock was moved on by 30 s at 1 Jan 2026, 00:02:00.',
  ]);
});

test('what is pointed at is told below the line, and keys move along it', async () => {
  const { page, line } = await openWithHistory();
  await expectShown(page.getByText('2 sessions since 1 Jan 2026, 00:00:00.'));
  await line.getByRole('button', { name: /^Recording was switched on/ }).hover();
  await expectShown(page.getByText('Recording was switched on at 1 Jan 2026, 00:02:00.'));
  await page.mouse.move(0, 0);
  await line.getByRole('button').first().focus();
  await expectShown(page.getByText('Session from 1 Jan 2026, 00:00:00, 2 min, not recorded.'));
  await page.keyboard.press('ArrowRight');
  await expectShown(page.getByText('The clock was moved on by 2 min at 1 Jan 2026, 00:00:00.'));
  expect(await line.locator('[tabindex="0"]').count()).toBe(1);
});

test('recording is drawn for as long as it was on', async () => {
  const { page, world, id } = await openWithHistory();
  await expect.poll(() => page.locator('.line .recording-on').count()).toBe(1);
  await world.stop(id);
  await world.setRecord(id, false);
  world.clock.advance('1h');
  await world.setRecord(id, true);
  world.clock.advance('1h');
  await expect.poll(() => page.locator('.line .recording-on').count()).toBe(2);
});
