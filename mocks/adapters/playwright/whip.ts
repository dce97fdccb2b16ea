import type { Browser, JSHandle, Page, Route } from '@playwright/test';
import type { Mock } from '../../mock.ts';
import { type Broadcast, createBroadcasts } from '../ingest/broadcasts.ts';
import { answerWhip, isWhip, type Receiver } from '../ingest/whip-requests.ts';
import { answerRoute } from './answer-route.ts';

/**
 * Answers WHIP at `{origin}/webrtc/{streamKey}`, as a server does. Another page, in a context that the test
 * does not see, receives what a page sends, and drops it.
 */
export function openWhip(browser: Browser, mock: Mock, origin: string) {
  const broadcasts = createBroadcasts(mock);
  return {
    /** Whether it answers requests for a URL. */
    covers: (url: URL): boolean => url.origin === origin && isWhip(url.href),
    async answer(route: Route): Promise<void> {
      const request = route.request();
      // The app may have a page of its own there.
      if (request.method() === 'GET') return route.fallback();
      const sender = request.frame().page();
      await answerRoute(
        answerWhip(broadcasts, () => openReceiver(browser, sender)),
        route,
      );
    },
    /** Ends what is live. */
    close: broadcasts.close,
  };
}

/** Opens a page that receives what another one sends. */
async function openReceiver(browser: Browser, sender: Page): Promise<Receiver> {
  const page = await browser.newPage();
  const connection = await page.evaluateHandle(() => new RTCPeerConnection());
  return {
    answer: (offer) => connection.evaluate(answerOffer, offer),
    hangUp: () => void page.close().catch(() => {}),
    follow(broadcast) {
      sender.once('close', broadcast.end);
      // A test may end before its broadcast.
      follow(connection, broadcast).catch(broadcast.end);
    },
  };
}

/** Counts what comes in until the page closes its connection. */
async function follow(
  connection: JSHandle<RTCPeerConnection>,
  broadcast: Broadcast,
): Promise<void> {
  let before = 0;
  for (;;) {
    const bytes = await connection.evaluate(countBytes);
    if (bytes === undefined) return broadcast.end();
    if (bytes > before) broadcast.receive(bytes - before, 0, {});
    before = bytes;
  }
}

/** Runs in the page that receives: the answer, with all candidates. */
async function answerOffer(connection: RTCPeerConnection, sdp: string): Promise<string> {
  await connection.setRemoteDescription({ type: 'offer', sdp });
  const gathered = new Promise<void>((resolve) => {
    connection.onicecandidate = ({ candidate }) => {
      if (candidate === null) resolve();
    };
  });
  await connection.setLocalDescription();
  await gathered;
  return connection.localDescription?.sdp ?? '';
}

/** Runs in the page that receives: the bytes so far, after a second; `undefined` once a side has closed. */
async function countBytes(connection: RTCPeerConnection): Promise<number | undefined> {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const [first] = connection.getReceivers();
  if (first?.transport?.state === 'closed') return undefined;
  const stats = [...(await connection.getStats()).values()];
  return stats.reduce((sum, { type, bytesReceived }) => {
    return type === 'inbound-rtp' ? sum + bytesReceived : sum;
  }, 0);
}
