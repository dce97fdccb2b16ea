import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { recordAndWatch } from './scenario.test-support.ts';

test.use({ livestream: { world: 'demo', now: Date.now, baseUrl: 'https://livestream.test/api' } });

test('a stream is created, recorded and watched', async ({ page, mock }) => {
  await page.goto('/');
  await recordAndWatch(page);
  expect(mock.streams()[0]).toMatchObject({ name: 'Harbour camera', record: true });
});
