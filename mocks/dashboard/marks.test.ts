import { expect, test } from 'vitest';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('the tab of the faults counts those that can still match, in every view', async () => {
  const { page, world, send } = await openDashboard();
  const count = page.getByRole('link', { name: /^Faults/ }).locator('.badge');
  expect(await count.count()).toBe(0);
  world.addFault({ effect: 'status', status: 503, operation: 'listStreams', times: 1 });
  world.addFault({ effect: 'recording-failed' });
  await expect.poll(() => count.innerText()).toMatch(/^2/);
  await send('GET /stream');
  await expect.poll(() => count.innerText()).toMatch(/^1/);
  await openView(page, 'Faults');
  await expectShown(page.getByText('used up'));
  await page.getByRole('link', { name: 'matched once' }).click();
  await expectShown(page.getByRole('link', { name: 'Refuse listStreams with 503' }));
  await expectSaid(page, '1 request of 1');
});

test('a request whose response a fault made is marked with that fault', async () => {
  const { page, world, send } = await openDashboard();
  const { id } = world.addFault({ effect: 'status', status: 503, operation: 'listStreams' });
  await send('GET /stream');
  await send('GET /session');
  await openView(page, 'Requests');
  const rows = page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
  const marked = rows.filter({ has: page.getByRole('link') });
  await expectShown(marked.getByText('Refuse listStreams with 503'));
  expect(await rows.count()).toBe(2);
  expect(await marked.count()).toBe(1);
  world.removeFaults(id);
  await expectShown(marked.getByText('A fault removed since'));
});

test('sessions say that the next recording meets a fault', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'Harbour camera', record: true });
  world.addFault({ effect: 'recording-failed', id: 'another' });
  world.addFault({ effect: 'recording-waiting', id });
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expectShown(sessions.getByText(`Keep any recording of ${id} waiting`));
  expect(await sessions.getByText('Fail any recording').count()).toBe(0);
});

test('the clock says that it stands still, is ahead, is paused or runs faster', async () => {
  const standing = await openDashboard();
  const noteOf = ({ page }: typeof standing) => page.getByRole('banner').locator('.badge.waiting');
  await expect.poll(() => noteOf(standing).innerText()).toBe('stands still');
  const running = await openDashboard({ now: Date.now });
  await expectShown(running.page.locator('#now[datetime]'));
  running.world.clock.advance('2h');
  await expect.poll(() => noteOf(running).innerText()).toMatch(/^(2 h|1 h 59 min) ?.*ahead$/);
  await openView(running.page, 'World');
  await running.page.getByLabel('It runs').selectOption('60 times as fast');
  await expectSaid(running.page, 'The clock runs 60 times as fast.');
  await expect.poll(() => noteOf(running).innerText()).toBe('60× as fast');
  await running.page.getByLabel('It runs').selectOption('paused');
  await expect.poll(() => noteOf(running).innerText()).toBe('paused');
});

test('the clock is set to a moment', async () => {
  const { page, world } = await openDashboard({ context: { timezoneId: 'UTC' } });
  await openView(page, 'World');
  await page.getByLabel('Moment').fill('2027-01-15T12:00:00');
  await page.getByRole('button', { name: 'Set the clock' }).click();
  await expectSaid(page, 'The clock was set to 15 Jan 2027');
  expect(world.clock.now()).toBe(Date.UTC(2027, 0, 15, 12));
});

test('a dialect is named in every view, and what it breaks is listed', async () => {
  const { page } = await openDashboard({
    dialect: {
      dialect: 2,
      name: 'Acme <b>',
      behaviours: { 'keys.spelling': { mp4URL: 'mp4Address' } },
    },
  });
  await page.getByRole('link', { name: 'Dialect: Acme <b>, breaks 1 rule' }).click();
  await expectShown(page.getByText('It spells mp4URL as mp4Address.'));
});
