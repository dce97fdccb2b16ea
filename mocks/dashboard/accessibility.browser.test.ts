import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../../tools/axe.test-support.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** The colours and widths in which axe looks at the page. */
const looks = byNight<readonly (readonly ['light' | 'dark', number])[]>(
  (['light', 'dark'] as const).flatMap((colours) =>
    [390, 1280].map((width) => [colours, width] as const),
  ),
  [['dark', 390]],
);

// Axe looks at four views in each test: on a busy machine that takes half a minute.
test.each(looks)(
  'axe finds nothing wrong in %s colours at %i pixels',
  async (colorScheme, width) => {
    const viewport = { width, height: 844 };
    // The page's policy keeps out other scripts, including axe.
    const context = { colorScheme, viewport, bypassCSP: true };
    const { page, world, send } = await openDashboard({ world: 'demo', context, refuses: true });
    await expectShown(page.getByRole('article'));
    await page.getByRole('button', { name: /^Play recording of/ }).click();
    await expectShown(page.getByRole('heading', { name: /^Recording of/ }));
    expect(await findViolations(page)).toEqual([]);
    // A fault of any request would affect the player, which may still be loading.
    world.addFault({ effect: 'status', status: 503, operation: 'createStream', times: 2 });
    await send('POST /stream', { name: 1 });
    await openView(page, 'Requests');
    await page.getByText('POST /api/stream').click();
    await expectShown(page.getByRole('group', { name: 'Response' }));
    expect(await findViolations(page)).toEqual([]);
    await openView(page, 'Faults');
    await expectShown(page.getByText('status 503 on createStream'));
    await page.getByLabel('Delay').fill('soon');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await expectShown(page.getByRole('alert').filter({ hasText: 'delay: expected' }));
    expect(await findViolations(page)).toEqual([]);
    world.saveSnapshot('kept');
    await openView(page, 'World');
    await expectShown(page.getByRole('button', { name: 'Restore kept' }));
    expect(await findViolations(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  },
);

test('axe finds nothing wrong on a phone while the server is down', async () => {
  const context = { viewport: { width: 390, height: 844 }, bypassCSP: true };
  const { page, server } = await openDashboard({ world: 'demo', context, refuses: true });
  await expectShown(page.getByRole('article'));
  await server.close();
  await expectShown(page.getByRole('alert').filter({ hasText: 'Disconnected from ' }));
  expect(await findViolations(page)).toEqual([]);
});

test('a keyboard is enough to create a stream and go live', async () => {
  const { page, world } = await openDashboard();
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Name');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await expectSaid(page, 'Created By keyboard.');
  expect(await focusedText(page)).toBe('By keyboard');
  await tabTo(page, 'Start');
  await page.keyboard.press('Enter');
  await expectSaid(page, 'An encoder connected');
  // The same button stops it, so the focus need not move.
  expect(await focusedText(page)).toBe('Stop');
  await page.keyboard.press('Enter');
  await expectSaid(page, 'The encoder disconnected.');
  expect(world.streams()).toMatchObject([{ name: 'By keyboard', isActive: false }]);
});

test('the focus goes to the heading of a list when its row is removed', async () => {
  const { page, world } = await openDashboard();
  world.addFault({ effect: 'reset' });
  await openView(page, 'Faults');
  await page.getByRole('button', { name: 'Remove reset on any request' }).press('Enter');
  await expectShown(page.getByText('No faults yet.'));
  expect(await focusedText(page)).toBe('Faults');
});

/** Presses Tab until the focus reaches the element with this label. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focusedText(page)) === name) return;
  }
  expect.fail(`${name}: expected within 40 presses of Tab`);
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement;
    return (element.labels?.[0]?.textContent ?? element.textContent ?? '').trim();
  });
}
