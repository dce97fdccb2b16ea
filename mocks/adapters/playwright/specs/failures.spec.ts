import { expect } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp, send } from './app.test-support.ts';

test.use({ livestream: { baseUrl, recordingDelay: 0 } });
test.beforeEach(({ page }) => openApp(page));

test('a stream that nobody created', async ({ mock }) => {
  expect(mock.streams()).toMatchObject([{ name: 'Harbour camera' }]);
});

test('a whole recording at once', async ({ page, mock }) => {
  const { id } = await mock.createStream({ name: 'recorded', record: true });
  const session = await mock.start(id, { duration: 36_000 });
  await send(page, { path: `/../recordings/${session.id}/source.mp4` });
});

test.describe('with a large world', () => {
  test.use({ livestream: { baseUrl, world: 'crowded', streams: 80_000 } });
  test('an exported state of more than 64 MiB', async ({ page }) => {
    await send(page, { path: '/../_mock/state' });
  });
});

test('events that never end', async ({ page }) => {
  await send(page, { path: '/../_mock/events' });
});

test('a fault that matched no request', ({ mock }) => {
  mock.addFault({ effect: 'status', status: 503, operation: 'createStream' });
});

test('a receiver of media that crashed', async ({ browser, page, mock }) => {
  const { streamKey } = await mock.createStream({ name: 'a' });
  const openPage = browser.newPage;
  browser.newPage = async () => {
    browser.newPage = openPage;
    const receiver = await browser.newPage();
    const evaluateHandle = receiver.evaluateHandle.bind(receiver);
    receiver.evaluateHandle = async (run: () => unknown) => {
      const handle = await evaluateHandle(run);
      await receiver.close();
      return handle as never;
    };
    return receiver;
  };
  const refused = await page.evaluate(async (url) => {
    const headers = { 'content-type': 'application/sdp' };
    const body = 'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n';
    return (await fetch(url, { method: 'POST', headers, body })).text();
  }, `https://livestream.test/webrtc/${streamKey}`);
  expect(refused).toBe('');
});

test.describe('with an invalid base URL', () => {
  test.use({ livestream: { baseUrl: 'livestream.test/api' } });
  test('anything', () => {});
});
