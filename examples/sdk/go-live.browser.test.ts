import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../mocks/adapters/node/node.ts';
import { createMock } from '../../mocks/mock.ts';
import { useBrowser } from '../../tools/browser.test-support.ts';
import { serveApp, type WebApp } from '../../tools/web-app.test-support.ts';

const browser = useBrowser();
let app: WebApp;
beforeAll(async () => {
  app = await serveApp(`
    import { goLive } from './examples/sdk/go-live.tsx';
    await goLive(location.hash.slice(1));
  `);
  return () => app.close();
}, 60_000);

test("the field's React component goes live, leaves a recording that plays, and ends with its page", async () => {
  const mock = createMock({ recordingDelay: 0, now: Date.now });
  const server = await serve(mock, { whip: true });
  const world = await mock.world();
  const dashboard = await browser().newPage();
  const page = await browser().newPage();
  onTestFinished(async () => {
    await page.close();
    await dashboard.close();
    await server.close();
  });
  const isLive = () => world.streams()[0]?.isActive;
  const live = page.getByText('LIVE', { exact: true });
  await dashboard.goto(server.origin);
  await page.goto(`${app.origin}/#${server.origin}`);
  await page.getByRole('button', { name: /^Start/ }).click();
  await live.waitFor();
  await dashboard.locator('.badge.live').first().waitFor();
  await expect.poll(isLive).toBe(true);

  await page.getByText('End', { exact: true }).click();
  await expect.poll(isLive).toBe(false);
  // The first is the camera.
  const recording = page.locator('video').nth(1);
  await expect
    .poll(() => recording.evaluate((video) => (video as HTMLVideoElement).currentTime))
    .toBeGreaterThan(0.5);

  await page.getByRole('button', { name: /^Start/ }).click();
  await live.waitFor();
  await expect.poll(isLive).toBe(true);
  await page.close();
  await expect.poll(isLive).toBe(false);
});
