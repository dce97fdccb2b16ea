import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { buildApp } from '../../../../../tools/web-app.test-support.ts';
import { baseUrl } from '../app.test-support.ts';

test.use({ livestream: { baseUrl }, permissions: ['camera', 'microphone'] });

let code = '';
test.beforeAll(async () => {
  const [app] = await buildApp(`
    import { goLive } from './examples/sdk/go-live.tsx';
    await goLive('https://livestream.test');
  `);
  code = app?.type === 'chunk' ? app.code : '';
});

test("the field's React components go live, and play the recording", async ({ page, mock }) => {
  const html = '<body><script type="module" src="/app.js"></script>';
  await page.route('https://app.test/**', (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: code })
      : route.fulfill({ contentType: 'text/html', body: html }),
  );
  await page.goto('https://app.test/');
  await page.getByText('Go live').click();
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible();
  expect(mock.streams()).toMatchObject([{ name: 'My camera', isActive: true }]);
  mock.clock.advance('10m');
  await page.getByText('End', { exact: true }).click();
  await expect.poll(() => mock.streams()).toMatchObject([{ isActive: false }]);
  mock.clock.advance('1s');
  const recording = page.locator('video').nth(1);
  const played = () => recording.evaluate((it: HTMLVideoElement) => it.currentTime);
  await expect.poll(played).toBeGreaterThan(0.5);
  expect(mock.sessions()).toMatchObject([{ sourceSegmentsDuration: 600 }]);
});
