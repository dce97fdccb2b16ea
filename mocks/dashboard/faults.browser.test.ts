import { expect, test } from 'vitest';
import {
  expectSaid,
  expectShown,
  openView,
  press,
  rowsOf,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Opens the view of the faults in a new world. */
async function openFaults(options?: Parameters<typeof openDashboard>[0]) {
  const setup = await openDashboard(options);
  await openView(setup.page, 'Faults');
  return setup;
}

test('a fault is added, matches the requests of an app, and is removed', async () => {
  const { page, world, send } = await openFaults();
  await expectShown(page.getByText('No faults yet.'));
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('createStream');
  await page.getByRole('spinbutton', { name: 'Status' }).fill('500');
  await page.getByLabel('Body').fill('{"why": "a test"}');
  await page.getByLabel('Times').fill('2');
  await press(page, 'Add fault');
  await expectSaid(page, 'Added the fault.');
  const body = { why: 'a test' };
  expect(world.faults).toMatchObject([
    { fault: { effect: 'status', operation: 'createStream', status: 500, body, times: 2 } },
  ]);
  expect(await send('POST /stream', { name: 'Refused' })).toBe(500);
  await expectShown(page.getByText('matched once'));
  await press(page, /^Remove status 500 on createStream/);
  await expectShown(page.getByText('No faults yet.'));
  expect(world.faults).toEqual([]);
});

test('each effect has its own fields, and the page says what is wrong', async () => {
  const { page, world } = await openFaults({ refuses: true });
  await page.getByLabel('Effect').selectOption('recording-failed');
  expect(await page.getByRole('combobox', { name: 'Operation' }).isVisible()).toBe(false);
  await page.getByLabel('Effect').selectOption('segment-missing');
  await page.getByLabel('Segment').fill('3');
  await page.getByLabel('Delay').fill('soon');
  await press(page, 'Add fault');
  await expectShown(page.getByRole('alert').filter({ hasText: /^delay: expected .*"soon"/ }));
  await page.getByLabel('Delay').fill('1s to 3s');
  await press(page, 'Add fault');
  await expectSaid(page, 'Added the fault.');
  expect(world.faults).toMatchObject([
    { fault: { effect: 'segment-missing', segment: 3, delay: { from: '1s', to: '3s' } } },
  ]);
});

test('a preset fills the form, a fault is edited, and all are removed at once', async () => {
  const { page, world } = await openFaults({ refuses: true });
  await press(page, 'Slow responses');
  await press(page, 'Add fault');
  await expectSaid(page, 'Added the fault.');
  expect(world.faults).toMatchObject([{ fault: { effect: 'delay', delay: '2s' } }]);
  await press(page, 'Edit delay 2s on any request');
  await expectSaid(page, 'Change the fault, and save it.');
  await press(page, 'Cancel editing');
  await press(page, 'Edit delay 2s on any request');
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('listSessions');
  const delay = page.getByLabel('Delay', { exact: true });
  await delay.fill('soon');
  await press(page, 'Save fault');
  await expectShown(page.getByText(/delay: expected/));
  expect(world.faults).toMatchObject([{ fault: { effect: 'delay', delay: '2s' } }]);
  await delay.fill('500');
  await press(page, 'Save fault');
  await expectSaid(page, 'Saved the fault.');
  await expectShown(page.getByText('delay 500 on listSessions'));
  expect(world.faults).toHaveLength(1);
  world.addFault({ effect: 'reset', delay: { to: '3s', from: '1s' } });
  await press(page, /^Edit reset on any request/);
  await expect.poll(() => delay.inputValue()).toBe('1s to 3s');
  await press(page, 'Save fault');
  await expect.poll(() => world.faults.map(({ id }) => id)).toEqual([2, 4]);
  // Until the page has read the faults again, it shows the old one and the new one.
  const saved = page.getByText('reset on any request, delay 1s to 3s');
  await expect.poll(() => saved.count()).toBe(1);
  await press(page, 'Remove all faults');
  await expectSaid(page, 'Removed all faults.');
  expect(world.faults).toEqual([]);
});

test('the tab counts the faults that can still match, and a fault leads to its requests', async () => {
  const { page, world, send } = await openDashboard();
  const count = page.getByRole('link', { name: /^Faults/ }).locator('.badge');
  expect(await count.count()).toBe(0);
  const { id } = world.addFault({ effect: 'status', status: 503, times: 1 });
  world.addFault({ effect: 'recording-failed' });
  await expect.poll(() => count.innerText()).toMatch(/^2/);
  await send('GET /stream');
  await send('GET /session');
  await expect.poll(() => count.innerText()).toMatch(/^1/);
  await openView(page, 'Faults');
  await expectShown(page.getByText('used up'));
  await page.getByRole('link', { name: 'matched once' }).click();
  await expectSaid(page, '1 request of 2');
  const rows = rowsOf(page, 'Requests');
  await press(page, 'Show all');
  await expect.poll(() => rows.count()).toBe(2);
  const faulted = rows.locator('summary').getByText('status 503 on any request');
  expect(await faulted.count()).toBe(1);
  world.removeFaults(id);
  await expectShown(rows.getByText('A fault that was removed'));
});

test('the fault of a request is shown whole, however long it is', async () => {
  const { page, world, send } = await openDashboard();
  const errors = ['A response that an app has never seen, and that nobody has described before.'];
  world.addFault({ effect: 'answer', status: 418, body: { errors, more: errors.concat(errors) } });
  await send('GET /stream');
  await openView(page, 'Requests');
  const text = rowsOf(page, 'Requests').getByText(/^answer on any request, status 418, body/);
  await expectShown(text);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const isCut = await text.evaluate(
      (element) =>
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    );
    expect(isCut).toBe(false);
  }
});
