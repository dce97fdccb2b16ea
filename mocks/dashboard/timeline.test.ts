import { expect, test } from 'vitest';
import { expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('the timeline describes sessions, recording and the clock to pointers and keys', async () => {
  const { page, world } = await openDashboard({
    recordingDelay: 0,
    context: { timezoneId: 'UTC' },
  });
  const { id } = await world.createStream({ name: 'Harbour camera' });
  await world.start(id);
  world.clock.advance('2m');
  await world.stop(id);
  await world.setRecord(id, true);
  await world.start(id);
  world.clock.advance('30s');
  const line = page.getByRole('list', { name: 'Timeline' });
  await expect.poll(() => line.getByRole('button').count()).toBe(5);
  const marks = line.getByRole('button');
  const texts = await marks.evaluateAll((found) => found.map(({ ariaLabel }) => ariaLabel ?? ''));
  expect(texts).toEqual([
    'Session from 1 Jan 2026, 00:00:00, 2 min, not recorded.',
    'The clock was moved on by 2 min at 1 Jan 2026, 00:00:00.',
    'Session from 1 Jan 2026, 00:02:00, live for 28.8 s, recording waiting.',
    'Recording was switched on at 1 Jan 2026, 00:02:00.',
    'The clock was moved on by 30 s at 1 Jan 2026, 00:02:00.',
  ]);
  await expectShown(page.getByText('2 sessions since 1 Jan 2026, 00:00:00.'));
  await marks.nth(3).hover();
  await expectShown(page.getByText(texts[3] ?? ''));
  await marks.nth(1).focus();
  await expectShown(page.getByText(texts[1] ?? ''));
});
