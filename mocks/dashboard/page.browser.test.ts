import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../adapters/node/node.ts';
import {
  expectSaid,
  expectShown,
  openView,
  press,
  useDashboard,
} from './dashboard.test-support.ts';

const openDashboard = useDashboard();

const phone = { viewport: { width: 390, height: 844 } };

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (box === null) expect.fail(`${locator}: expected it on the page`);
  return { top: box.y, bottom: box.y + box.height };
};

/** The texts of controls that are not as high as this, in pixels. */
const controlsBelow = (height: number) =>
  [...document.querySelectorAll('button, select, nav a, summary, .check')]
    .filter((control) => control.checkVisibility() && control.textContent !== '')
    .filter((control) => control.getBoundingClientRect().height < height)
    .map(({ textContent }) => textContent);

test('on a phone the list comes before what it leads to', async () => {
  const { page } = await openDashboard({ world: 'demo', context: phone });
  const stream = await boxOf(page.getByRole('article'));
  expect((await boxOf(page.getByRole('region', { name: 'Streams' }))).bottom).toBeLessThan(
    stream.top,
  );
  // The stream begins on the first screen, however many there are.
  expect(stream.top).toBeLessThan(phone.viewport.height * 0.7);
  await openView(page, 'Faults');
  const faults = await boxOf(page.getByRole('region', { name: 'Faults' }));
  expect(faults.bottom).toBeLessThan(
    (await boxOf(page.getByRole('region', { name: 'New fault' }))).top,
  );
});

test('on a phone every control is at least 44 pixels high', async () => {
  const { page, world } = await openDashboard({ world: 'demo', context: phone });
  world.addFault({ effect: 'reset' });
  await expectShown(page.getByRole('article'));
  for (const view of ['Streams', 'Requests', 'World', 'Faults']) {
    await openView(page, view);
    await expectShown(page.getByRole('main').getByRole('button').first());
    // Styles may come a moment later.
    const small = () => page.evaluate(controlsBelow, 44);
    await expect.poll(small, { message: view }).toEqual([]);
  }
});

test('on a phone the header is one row, and the clock is advanced in its menu', async () => {
  const { page, world } = await openDashboard({ context: phone });
  const before = world.clock.now();
  await expectShown(page.getByRole('button', { name: /^Clock, / }));
  const header = await boxOf(page.getByRole('banner'));
  expect(header.bottom - header.top).toBeLessThanOrEqual(56);
  expect(await page.getByRole('button', { name: '+10 min' }).isVisible()).toBe(false);
  await press(page, /^Clock, /);
  await press(page, '+10 min');
  await expectSaid(page, 'Advanced the clock by 10m.');
  expect(world.clock.now() - before).toBe(600_000);
});

test('on a tablet, too, the header is one row, however far ahead the clock is', async () => {
  const { page, world } = await openDashboard({
    context: { viewport: { width: 820, height: 900 } },
  });
  world.clock.advance('40d');
  world.addFault({ effect: 'reset' });
  await expectShown(page.getByRole('button', { name: /^Clock, / }));
  const header = await boxOf(page.getByRole('banner'));
  expect(header.bottom - header.top).toBeLessThanOrEqual(56);
});

test('on a phone a field has the button that sends it beside it', async () => {
  const { page } = await openDashboard({ context: phone });
  await openView(page, 'World');
  for (const [label, button] of [
    ['Name', 'Save snapshot'],
    ['Advance by', 'Advance'],
  ] as const) {
    const field = await boxOf(page.getByRole('textbox', { name: label }));
    expect(await boxOf(page.getByRole('button', { name: button, exact: true }))).toEqual(field);
  }
});

test('on a phone the buttons of a title are beside it, however long it is', async () => {
  const { page, world } = await openDashboard({ context: phone });
  const name = 'A stream whose name has no room beside two controls, nor in a second line';
  const { id } = await world.createStream({ name });
  await world.start(id);
  await expectShown(page.getByRole('article').locator('.badge.live').first());
  const title = await boxOf(page.getByRole('heading', { name }));
  const remove = await boxOf(page.getByRole('button', { name: 'Delete' }));
  expect((remove.top + remove.bottom) / 2).toBeCloseTo((title.top + title.bottom) / 2);
});

test('another stream is created by the button above the list', async () => {
  const { page, world } = await openDashboard({ world: 'demo', context: phone });
  await press(page, 'New stream');
  await page.keyboard.type('The seventh');
  await press(page, 'Create stream');
  await expectSaid(page, 'Created The seventh.');
  expect(world.streams()).toHaveLength(7);
  expect(await page.getByRole('button', { name: 'Create stream' }).count()).toBe(0);
});

test('while the server is down, a banner says so, and nothing looks live', async () => {
  const { page, server, world } = await openDashboard({ refuses: true });
  const { id } = await world.createStream({ name: 'On air' });
  await world.start(id);
  const badge = page.getByRole('article').locator('.badge.live').first();
  await expectShown(badge);
  const colourOfBadge = () => badge.evaluate((element) => getComputedStyle(element).color);
  const whileLive = await colourOfBadge();
  await server.close();
  const banner = page.getByRole('alert').filter({ hasText: 'Disconnected from ' });
  await expectShown(banner.getByText(server.origin));
  expect(Date.parse((await banner.getByRole('time').getAttribute('datetime')) ?? '')).toBeLessThan(
    Date.now() + 1,
  );
  expect(await colourOfBadge()).not.toBe(whileLive);
  expect(await page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
  // The banner says it, so no notice repeats it.
  expect(await page.getByText('The server does not respond').count()).toBe(0);
});

test('the page connects again when the server is back, and shows what it missed', async () => {
  const { page, mock, server, world } = await openDashboard({ refuses: true });
  await expectShown(page.getByText('No streams yet.'));
  await server.close();
  const banner = page.getByRole('alert').filter({ hasText: 'Disconnected from ' });
  await expectShown(banner);
  expect(await page.getByRole('button', { name: 'Create stream' }).isDisabled()).toBe(true);
  await world.createStream({ name: 'Missed' });
  const again = await serve(mock, { port: Number(new URL(server.origin).port) });
  onTestFinished(() => again.close());
  await expectSaid(page, 'Connected again.');
  await expectShown(page.getByRole('button', { name: 'Missed', disabled: false }));
  expect(await banner.count()).toBe(0);
});

test('what was done is said for ten seconds, and takes no room after that', async () => {
  const { page } = await openDashboard();
  await page.clock.install();
  await press(page, '+1 min');
  await expectSaid(page, 'Advanced the clock by 1m.');
  await page.clock.fastForward(10_000);
  await page.getByText('Advanced the clock by 1m.').waitFor({ state: 'detached' });
  expect((await boxOf(page.getByRole('main'))).bottom).toBe(page.viewportSize()?.height);
});

test('what went wrong is said until it is closed', async () => {
  const { page } = await openDashboard({ refuses: true });
  await page.clock.install();
  await openView(page, 'World');
  await page.getByLabel('Advance by').fill('soon');
  await press(page, 'Advance');
  const complaint = page.getByRole('alert').filter({ hasText: 'advance: expected' });
  await expectShown(complaint);
  await page.clock.fastForward(60_000);
  expect(await complaint.count()).toBe(1);
  await press(page, 'Close this message');
  expect(await complaint.count()).toBe(0);
});

test('the button that deletes a live stream has the colour of a hint, and no border', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'On air' });
  await world.start(id);
  await expectShown(page.getByRole('button', { name: 'Watch live' }));
  const button = page.getByRole('button', { name: 'Delete' });
  const colourOf = (locator: Locator, property: string) =>
    locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  expect(await colourOf(button, 'border-top-color')).toBe('rgba(0, 0, 0, 0)');
  const hint = page.getByRole('article').locator('.hint').first();
  expect(await colourOf(button, 'color')).toBe(await colourOf(hint, 'color'));
});
