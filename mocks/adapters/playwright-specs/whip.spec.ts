import { expect, type Page } from '@playwright/test';
import { test } from 'livestream-mock/playwright';
import { baseUrl, openApp } from './app.test-support.ts';

const ingest = 'https://livestream.test/webrtc';

test.use({ livestream: { baseUrl, recordingDelay: 0 }, permissions: ['camera', 'microphone'] });
test.beforeEach(({ page }) => openApp(page));

const endings: Record<string, (page: Page) => Promise<unknown>> = {
  'closes its connection': (page) => page.evaluate(closeConnection),
  'is closed': (page) => page.close(),
};

for (const [ending, end] of Object.entries(endings)) {
  test(`a broadcast ends when its page ${ending}`, async ({ page, mock }) => {
    const { streamKey } = await mock.createStream({ name: 'Harbour camera' });
    await page.evaluate(goLive, `${ingest}/${streamKey}`);
    await expect.poll(() => mock.streams()).toMatchObject([{ isActive: true }]);
    await end(page);
    await expect.poll(() => mock.streams()).toMatchObject([{ isActive: false }]);
    expect(mock.sessions()).toHaveLength(1);
  });
}

test('a test may end before its broadcast', async ({ page, mock }) => {
  const { streamKey } = await mock.createStream({ name: 'Harbour camera' });
  await page.evaluate(goLive, `${ingest}/${streamKey}`);
  await expect.poll(() => mock.streams()).toMatchObject([{ isActive: true }]);
});

declare global {
  interface Window {
    connection?: RTCPeerConnection;
  }
}

/** Runs in the page: sends the camera to an address, as a WHIP client does. */
async function goLive(url: string): Promise<void> {
  const media = await navigator.mediaDevices.getUserMedia({ video: true, audio: true });
  const connection = new RTCPeerConnection();
  window.connection = connection;
  for (const track of media.getTracks()) connection.addTrack(track, media);
  await connection.setLocalDescription();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: connection.localDescription?.sdp ?? '',
  });
  await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
}

/** Runs in the page. */
function closeConnection(): void {
  window.connection?.close();
}
