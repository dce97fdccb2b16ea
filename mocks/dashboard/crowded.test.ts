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

test('a thousand requests are shown at once, and the page does not freeze', async () => {
  const { page, send } = await openDashboard({ world: 'demo' });
  for (let sent = 0; sent < 1000; sent += 100) {
    await Promise.all(Array.from({ length: 100 }, () => send('GET /session')));
  }
  const begin = performance.now();
  await openView(page, 'Requests');
  const rows = page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
  await expect.poll(() => rows.count(), { interval: 20, timeout: 5_000 }).toBe(1000);
  await send('POST /stream', { name: 'The newest' });
  await expectShown(rows.first().getByText('POST /api/stream'));
  expect(await rows.count()).toBe(1000);
  expect(performance.now() - begin).toBeLessThan(5_000);
});
