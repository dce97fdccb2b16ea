import type { Mock } from '../../mock.ts';
import { createBroadcasts } from './broadcasts.ts';
import { answerWhip, whipPath } from './whip-requests.ts';

/** What encoders and cameras use to go live on a server. */
export interface IngestOptions {
  /**
   * Port on which encoders go live by RTMP, with the package node-media-server; 0 picks a free one. None
   * unless given.
   */
  rtmp?: number | undefined;
  /** Whether browsers go live by WHIP at `/webrtc/STREAM_KEY`, with the package werift; not unless given. */
  whip?: boolean | undefined;
}

/** The encoders and cameras of a server. */
export type Ingest = Awaited<ReturnType<typeof openIngest>>;

/**
 * Opens what encoders and cameras use to go live, and loads only the code for what is asked. `served` is where
 * HTTP is served: its origin, its host, and the IP address of that.
 * @throws RangeError in one sentence where that is not possible.
 */
export async function openIngest(
  mock: Mock,
  { rtmp: port, whip }: IngestOptions,
  { origin, host, address }: Readonly<Record<'origin' | 'host' | 'address', string>>,
) {
  const broadcasts = createBroadcasts(mock);
  const openReceiver = whip
    ? await (await import('./whip.ts')).createReceivers(address)
    : undefined;
  const rtmp =
    port === undefined
      ? undefined
      : await (await import('./rtmp.ts')).listenRtmp(broadcasts, host, port);
  return {
    addresses: { rtmp: rtmp?.address, whip: openReceiver && origin + whipPath },
    /** Answers the requests of WHIP, where it is on. */
    answer: openReceiver && answerWhip(broadcasts, openReceiver),
    /** Ends their sessions, and closes their connections. */
    async close(): Promise<void> {
      rtmp?.close();
      await broadcasts.close();
    },
  };
}
