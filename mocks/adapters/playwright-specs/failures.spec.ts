import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from './app.test-support.ts';

test.use({ livestream: { baseUrl, recordingDelay: 0 } });
test.beforeEach(({ page }) => openApp(page));

// Expected failures leave the worker running. After others, a new one starts.

test.fail('a stream that nobody created', async ({ mock }) => {
  expect(mock.streams()).toMatchObject([{ name: 'Harbour camera' }]);
});

test.fail('a whole recording at once', async ({ page, mock }) => {
  const { id } = await mock.createStream({ name: 'recorded', record: true });
  const session = await mock.start(id, { duration: 36_000 });
  await send(page, { path: `/../recordings/${session.id}/source.mp4` });
});

test.fail('events that never end', async ({ page }) => {
  await send(page, { path: '/../_mock/events' });
});

test.fail('a fault that matched no request', ({ mock }) => {
  mock.addFault({ effect: 'status', status: 503, operation: 'createStream' });
});

test.fail('a request that waits on the clock', async ({ page, mock }) => {
  mock.addFault({ effect: 'delay', delay: '2s' });
  void send(page, { path: '/stream' });
  await expect.poll(() => mock.faults[0]?.matched).toBe(1);
  expect(mock.requests()).toHaveLength(1);
});

test.describe('with an invalid base URL', () => {
  test.use({ livestream: { baseUrl: 'livestream.test/api' } });
  test.fail('anything', () => {});
});
