import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (box === null) expect.fail(`${locator}: expected it on the page`);
  return { top: box.y, bottom: box.y + box.height };
};

test('the header is one row on a desktop, with all that it can say', async () => {
  const context = { viewport: { width: 1280, height: 800 } };
  const { page, world } = await openDashboard({ world: 'demo', now: Date.now, context });
  world.clock.advance('299m');
  for (let added = 0; added < 12; added += 1) world.addFault({ effect: 'recording-failed' });
  await expectShown(page.getByText('4 h 59 min ahead'));
  await expectShown(page.getByRole('link', { name: 'Faults 12 active' }));
  const { bottom: tabsEnd } = await boxOf(page.getByRole('navigation'));
  const clock = await boxOf(page.getByRole('button', { name: 'Advance', exact: true }));
  expect(clock.top).toBeLessThan(tabsEnd);
  expect((await boxOf(page.getByRole('banner'))).bottom).toBeLessThan(60);
});

test('an error of the clock leaves the header in one row, and goes when the reader goes on', async () => {
  const context = { viewport: { width: 1280, height: 800 } };
  const { page } = await openDashboard({ world: 'demo', context, refuses: true });
  await page.getByLabel('Advance by', { exact: true }).fill('soon');
  await page.getByRole('button', { name: 'Advance', exact: true }).click();
  const error = page.getByRole('alert').filter({ hasText: 'This must be' });
  await expectShown(error);
  expect((await boxOf(page.getByRole('banner'))).bottom).toBeLessThan(60);
  await page.getByRole('link', { name: 'Requests' }).click();
  await error.waitFor({ state: 'detached' });
});

test('on a phone the stream is first, and the list and the form are behind a button', async () => {
  const context = { viewport: { width: 390, height: 844 } };
  const { page } = await openDashboard({ world: 'demo', context });
  await expectShown(page.getByRole('article'));
  // A header of two rows is above it, whose height follows from the machine's fonts.
  expect((await boxOf(page.getByRole('article'))).top).toBeLessThan(300);
  const create = page.getByRole('button', { name: 'New stream' });
  expect(await create.isVisible()).toBe(false);
  await page.getByRole('button', { name: '6 streams' }).click();
  await create.click();
  await page.getByRole('textbox', { name: 'Name' }).fill('From a phone');
  await page.getByRole('button', { name: 'Create stream' }).click();
  await expectSaid(page, 'Created From a phone.');
  await expectShown(page.getByRole('heading', { name: 'From a phone' }));
  expect(await create.isVisible()).toBe(false);
});

test('on a phone every target has 44 pixels, and the faults come before their form', async () => {
  const context = { viewport: { width: 390, height: 844 } };
  const { page, world } = await openDashboard({ world: 'demo', context });
  world.addFault({ effect: 'reset' });
  for (const view of ['Streams', 'Requests', 'Faults', 'World']) {
    await openView(page, view);
    await expectShown(page.getByRole('main').getByRole('button').first());
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, select, nav a, summary, .check')]
        .filter((element) => element.checkVisibility())
        .filter((element) => element.getBoundingClientRect().height < 44)
        .map(({ textContent }) => textContent),
    );
    expect([view, small.filter((text) => text !== '')]).toEqual([view, []]);
  }
  await openView(page, 'Faults');
  const list = await boxOf(page.getByRole('region', { name: 'Faults' }));
  expect(list.top).toBeLessThan((await boxOf(page.getByRole('region', { name: 'New fault' }))).top);
  await page.getByRole('button', { name: 'Controls' }).click();
  await page.getByRole('button', { name: '+1 min' }).click();
  await expectSaid(page, 'The clock moved on by 1m.');
});

test('what the page says covers nothing', async () => {
  const context = { viewport: { width: 1280, height: 500 } };
  const { page } = await openDashboard({ world: 'demo', context });
  await page.getByRole('button', { name: '+1 s' }).click();
  await expectSaid(page, 'The clock moved on by 1s.');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const main = await boxOf(page.getByRole('main'));
  const bar = await boxOf(page.getByRole('contentinfo'));
  expect(Math.round(main.bottom)).toBeLessThanOrEqual(Math.round(bar.top));
});
