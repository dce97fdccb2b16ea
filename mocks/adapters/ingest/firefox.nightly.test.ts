import { launch, type Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { program } from '../../../tools/program.test-support.ts';
import { createMock } from '../../mock.ts';
import { startServer } from '../node/http-server.ts';
import { createLog } from '../node/log.ts';
import { sendCamera } from './send-camera.test-support.ts';
import { incoming } from './served.test-support.ts';

/** Opens a page of a Firefox that has a camera with a test picture, which every page may use. */
async function openFirefox(url: string): Promise<Page> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: program('firefox'),
    extraPrefsFirefox: {
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
    },
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

/** Serves a mock that receives media on an address, and a page of Firefox that goes live there. */
async function goLiveTo(whipHost: string, encodings: readonly string[] = []) {
  const refusals: string[] = [];
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const log = createLog((line) => refusals.push(line));
  const server = await startServer(mock, { whip: true, whipHost, log });
  onTestFinished(() => server.close());
  const world = await mock.world();
  const stream = await world.createStream({ name: 'Harbour', record: true });
  const page = await openFirefox(`${server.origin}/openapi.json`);
  const status = await page.evaluate(
    sendCamera,
    `${server.ingest.whip}/${stream.streamKey}`,
    encodings,
  );
  expect(status).toBe(201);
  const isLive = () => world.streams()[0]?.isActive;
  return { server, world, page, refusals, isLive };
}

test.each([[[]], [['high', 'low']]])(
  'Firefox goes live with the encodings %j if media is received on every address, and ends with its page',
  async (encodings) => {
    const { server, world, page, isLive } = await goLiveTo('0.0.0.0', encodings);
    await expect.poll(isLive).toBe(true);
    await expect
      .poll(() => incoming({ server, world }))
      .toMatchObject([{ protocol: 'whip', videoCodec: 'VP8', audioCodec: 'Opus' }]);
    await page.close();
    await expect.poll(isLive).toBe(false);
    expect(world.sessions()).toHaveLength(1);
  },
);

test('if media is received on loopback only, Firefox leaves no session, and the reason is told', async () => {
  const { world, refusals } = await goLiveTo('127.0.0.1');
  await expect.poll(() => refusals).toEqual([expect.stringContaining('--whip-host 0.0.0.0')]);
  expect(world.sessions()).toEqual([]);
});
