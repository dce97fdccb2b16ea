import { expect, test } from 'vitest';
import { useBrowser } from '../../../tools/browser.test-support.ts';
import { sendCamera } from './send-camera.test-support.ts';
import { incoming, serveIngest } from './served.test-support.ts';

const browser = useBrowser();

test.each([
  ['one encoding', []],
  ['several encodings', ['high', 'low']],
])('Chromium goes live with %s, and ends with its page', async (_, encodings) => {
  const { server, world, stream, isLive } = await serveIngest();
  const page = await browser().newPage();
  await page.goto(`${server.origin}/openapi.json`);
  const url = `${server.ingest.whip}/${stream.streamKey}`;
  const send = `(${sendCamera})(${JSON.stringify(url)}, ${JSON.stringify(encodings)})`;
  expect(await page.evaluate(send)).toBe(201);
  await expect.poll(isLive).toBe(true);
  await expect
    .poll(() => incoming({ server, world }))
    .toMatchObject([{ protocol: 'whip', videoCodec: 'VP8', audioCodec: 'Opus' }]);
  await page.close();
  await expect.poll(isLive).toBe(false);
  expect(world.sessions()).toHaveLength(1);
});
