import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSaid, expectShown, openView, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

test('a thousand streams come a hundred at a time', async () => {
  const { page } = await openDashboard({ world: 'crowded', streams: 1000 });
  const rows = page.getByRole('region', { name: 'Streams' }).getByRole('listitem');
  const more = page.getByRole('button', { name: 'More streams' });
  await expectShown(more);
  expect(await rows.count()).toBe(100);
  for (let shown = 200; shown <= 1000; shown += 100) {
    await more.click();
    await expectSaid(page, `${shown} are shown.`);
  }
  // The last page was full, so it takes another look to see that this is all.
  await more.click();
  await more.waitFor({ state: 'hidden' });
  expect(await rows.count()).toBe(1000);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
});

test('a long list is one stop of the Tab key, and arrow keys move in it', async () => {
  const { page } = await openDashboard({ world: 'crowded', streams: 50 });
  const buttons = page.locator('#streams button');
  await expect.poll(() => buttons.count()).toBe(50);
  expect(await page.locator('#streams button[tabindex="0"]').count()).toBe(1);
  const focused = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>('#streams button')];
      return all.indexOf(document.activeElement as HTMLElement);
    });
  const press = async (key: string): Promise<number> => {
    await page.keyboard.press(key);
    return focused();
  };
  await page.getByLabel('Live only').focus();
  expect(await press('Tab')).toBe(0);
  expect(await press('ArrowDown')).toBe(1);
  expect(await press('End')).toBe(49);
  expect(await press('ArrowDown')).toBe(49);
  expect(await press('ArrowUp')).toBe(48);
  expect(await press('Tab')).toBe(-1);
  expect(await press('Shift+Tab')).toBe(48);
  expect(await press('Home')).toBe(0);
});

test('the page opens with what is live, and can list only that', async () => {
  const { page, world } = await openDashboard();
  const { id } = await world.createStream({ name: 'On air' });
  await world.start(id);
  await world.createStream({ name: 'Newer' });
  await page.goto('about:blank');
  await page.goBack();
  await expectShown(page.getByRole('heading', { name: 'On air' }));
  const rows = page.locator('#streams').getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel('Live only').check();
  await expect.poll(() => rows.allInnerTexts()).toEqual(['On air\nlive']);
});

test('streams are found by a part of their name', async () => {
  const { page, world } = await openDashboard({ world: 'crowded', streams: 20 });
  await world.createStream({ name: 'Needle in the hay' });
  await page.getByLabel('Find by name').fill('needle');
  const rows = page.locator('#streams').getByRole('listitem');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Needle in the hay']);
  await page.getByLabel('Find by name').fill('none of these');
  await expectShown(page.getByText('No stream matches.'));
  await page.getByLabel('Find by name').fill('');
  await expect.poll(() => rows.count()).toBe(21);
});

test('the slash key goes to the search of a view, except while one types', async () => {
  const { page } = await openDashboard({ world: 'demo' });
  await expectShown(page.getByRole('article'));
  await page.keyboard.press('/');
  await page.keyboard.type('a/b');
  expect(await page.getByLabel('Find by name').inputValue()).toBe('a/b');
  await openView(page, 'Requests');
  await page.keyboard.press('/');
  await page.keyboard.type('c');
  expect(await page.getByLabel('Search in path and body').inputValue()).toBe('c');
});

test('a thousand requests are shown at once, and the page does not freeze', async () => {
  const { page, mock, server, send } = await openDashboard({ world: 'demo' });
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  for (let sent = 0; sent < 1000; sent += 1) {
    await mock.fetch(new Request(`${server.baseUrl}/session`, { headers }));
  }
  const worked = await watchWork(page);
  await openView(page, 'Requests');
  const rows = page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
  await expectShown(rows.nth(999));
  await send('POST /stream', { name: 'The newest' });
  await expectShown(rows.first().getByText('POST /api/stream'));
  expect(await rows.count()).toBe(1000);
  expect(await worked()).toBeLessThan(2);
});

/** Seconds of a processor that the page's thread takes from now on, however busy the machine is. */
async function watchWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await read();
  return async () => (await read()) - before;
}
