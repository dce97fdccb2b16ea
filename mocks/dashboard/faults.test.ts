import { expect, test } from 'vitest';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a fault is added, matches the requests of an app, and is removed', async () => {
  const { page, world, send } = await openDashboard();
  await openView(page, 'Faults');
  await expectShown(page.getByText('No fault yet.'));
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('createStream');
  await page.getByRole('spinbutton', { name: 'Status' }).fill('500');
  await page.getByLabel('Body').fill('{"why": "a test"}');
  await page.getByLabel('Times').fill('2');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expectSaid(page, 'Added the fault.');
  expect(world.faults).toMatchObject([
    {
      fault: {
        effect: 'status',
        operation: 'createStream',
        status: 500,
        body: { why: 'a test' },
        times: 2,
      },
    },
  ]);
  expect(await send('POST /stream', { name: 'Refused' })).toBe(500);
  await expectShown(page.getByText('matched once'));
  await page.getByRole('button', { name: /^Remove Refuse createStream with 500/ }).click();
  await expectShown(page.getByText('No fault yet.'));
  expect(world.faults).toEqual([]);
});

test('each effect has its own fields', async () => {
  const { page, world } = await openDashboard();
  await openView(page, 'Faults');
  const add = async (
    effect: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<unknown> => {
    await page.getByLabel('Effect').selectOption(effect);
    for (const [name, value] of Object.entries(fields)) await page.getByLabel(name).fill(value);
    await page.getByRole('button', { name: 'Add fault' }).click();
    // Until then the form takes no other one.
    await expectShown(page.locator('#fault-form:not([aria-busy])'));
    return world.faults.at(-1)?.fault;
  };
  expect(await add('recording-failed', {})).toEqual({ effect: 'recording-failed' });
  expect(await page.getByRole('combobox', { name: 'Operation' }).isVisible()).toBe(false);
  expect(await add('drip', { 'Bytes a second': '500' })).toEqual({
    effect: 'drip',
    bytesPerSecond: 500,
  });
  expect(await add('segment-missing', { Segment: '3' })).toEqual({
    effect: 'segment-missing',
    segment: 3,
  });
  expect(await add('delay', { Delay: '1s to 3s' })).toEqual({
    effect: 'delay',
    delay: { from: '1s', to: '3s' },
  });
});

test('faults of elsewhere appear, and all are removed at once', async () => {
  const { page, world } = await openDashboard();
  await openView(page, 'Faults');
  await expectShown(page.getByText('No fault yet.'));
  world.addFault({ effect: 'reset', operation: 'liveSegment' });
  world.addFault({ effect: 'playlist-endless' });
  await expectShown(page.getByText('Break the connection of liveSegment'));
  await page.getByRole('button', { name: 'Remove all faults' }).click();
  await expectSaid(page, 'Removed all faults.');
  expect(world.faults).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectSaid(page, 'Added the faults again.');
  expect(world.faults).toMatchObject([
    { fault: { effect: 'reset', operation: 'liveSegment' } },
    { fault: { effect: 'playlist-endless' } },
  ]);
});

test('a preset fills the form, and a fault is edited', async () => {
  const { page, world } = await openDashboard();
  await openView(page, 'Faults');
  await page.getByRole('button', { name: 'Slow responses' }).click();
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expectSaid(page, 'Added the fault.');
  expect(world.faults).toMatchObject([{ fault: { effect: 'delay', delay: '2s' } }]);
  await page.getByRole('button', { name: 'Edit Delay any request by 2 s' }).click();
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('listSessions');
  await page.getByLabel('Delay', { exact: true }).fill('500');
  await page.getByLabel('Times').fill('2');
  await page.getByRole('button', { name: 'Save fault' }).click();
  await expectShown(page.getByText('Delay listSessions by 500 ms for the next 2 requests'));
  expect(world.faults).toHaveLength(1);
});

test('a paused fault matches nothing until it is resumed', async () => {
  const { page, world, send } = await openDashboard();
  world.addFault({ effect: 'status', status: 503, operation: 'listStreams' });
  await openView(page, 'Faults');
  await page.getByRole('button', { name: /^Pause Refuse listStreams/ }).click();
  await expectSaid(page, 'Paused the fault.');
  expect(await send('GET /stream')).toBe(200);
  await page.getByRole('button', { name: /^Resume Refuse listStreams/ }).click();
  await expectSaid(page, 'Resumed the fault.');
  expect(await send('GET /stream')).toBe(503);
});

test('what is wrong with a fault is said beside the field that it is about', async () => {
  const { page } = await openDashboard({ refuses: true });
  await openView(page, 'Faults');
  await page.getByLabel('Delay').fill('soon');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expectShown(
    page.getByRole('alert').filter({ hasText: /^This must be a number of milliseconds.*"soon"/ }),
  );
  const delay = page.getByLabel('Delay');
  expect(await delay.getAttribute('aria-invalid')).toBe('true');
  expect(await delay.getAttribute('aria-describedby')).toBe('fault-delay-error');
  await delay.fill('2s');
  expect(await page.locator('#fault-delay-error').count()).toBe(0);
});

test('no fault matches the requests of the page itself', async () => {
  const { page, world } = await openDashboard();
  world.addFault({ effect: 'status', status: 503 });
  await page.getByRole('textbox', { name: 'Name' }).fill('Created nevertheless');
  await page.getByRole('button', { name: 'Create stream' }).click();
  await expectSaid(page, 'Created Created nevertheless.');
  expect(world.faults).toMatchObject([{ matched: 0 }]);
});
