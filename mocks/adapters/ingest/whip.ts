import type { RTCPeerConnection } from 'werift';
import { missingPackage } from '../../../option-error.ts';
import { Problem } from '../../messages/problem.ts';
import type { Broadcast } from './broadcasts.ts';

/** What receives the media of a browser, and drops it. */
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

type Library = typeof import('werift');

/** Loads werift. @throws RangeError when it is not installed. */
export function loadWerift(): Promise<Library> {
  return import('werift').catch(() => {
    throw missingPackage('whip', 'werift', '0.24');
  });
}

/** Opens a receiver, whose media comes to ports of `address`. @throws RangeError when werift is not installed. */
export async function openReceiver(address: string) {
  const connection = createConnection(await loadWerift(), address);
  return {
    /** The SDP answer to an offer. @throws Problem 400 for a bad one */
    answer: (offer: string) => answerOffer(connection, offer),
    hangUp: () => void connection.close().catch(() => {}),
    /** Counts what comes in, and ends the broadcast when the browser has gone. */
    follow: (broadcast: Broadcast) => followMedia(connection, broadcast),
  };
}

/** Most tracks of an offer. */
export const maxTracks = 4;

/** The refusal of an offer. */
export function badOffer(got: string): Problem {
  const expected = `an SDP offer of at most ${maxTracks} tracks, all audio or video`;
  return new Problem('malformed', { path: 'body', expected, got });
}

/** It receives at the address only, asks no other server for its own, and looks for nobody. */
function createConnection(library: Library, address: string): RTCPeerConnection {
  const isAny = address === '0.0.0.0' || address === '::';
  return new library.RTCPeerConnection({
    iceServers: [],
    iceLite: true,
    iceUseIpv4: isAny,
    iceUseIpv6: address === '::',
    iceAdditionalHostAddresses: [isAny ? '127.0.0.1' : address],
    iceInterfaceAddresses: isAny ? undefined : { udp4: address, udp6: address },
    bundlePolicy: 'max-bundle',
    codecs: {
      // The first is what browsers send.
      video: [library.useVP8(), library.useH264(), library.useVP9()],
      audio: [library.useOPUS()],
    },
  });
}

/** Answers an offer. @throws Problem 400 */
async function answerOffer(connection: RTCPeerConnection, sdp: string): Promise<string> {
  await connection.setRemoteDescription({ type: 'offer', sdp }).catch(({ message }: Error) => {
    throw badOffer(message);
  });
  await connection.setLocalDescription(await connection.createAnswer());
  return connection.localDescription?.sdp ?? '';
}

const codecNames: Readonly<Record<string, string>> = { H264: 'H.264', opus: 'Opus' };

/** Counts what comes in, and ends the broadcast when the other side closes the connection, or it fails. */
function followMedia(connection: RTCPeerConnection, broadcast: Broadcast): void {
  for (const { onStateChange } of connection.dtlsTransports) {
    onStateChange.subscribe((state) => {
      if (state === 'closed' || state === 'failed') broadcast.end();
    });
  }
  for (const { kind, codecs, receiver } of connection.getTransceivers()) {
    for (const { onReceiveRtp } of receiver.tracks) {
      onReceiveRtp.subscribe(({ header, payload }) => {
        const name = codecs.find(({ payloadType }) => payloadType === header.payloadType)?.name;
        const codec = codecNames[name ?? ''] ?? name;
        if (kind === 'audio') return broadcast.receive(payload.length, 0, { audioCodec: codec });
        broadcast.receive(payload.length, header.marker ? 1 : 0, { videoCodec: codec });
      });
    }
  }
}
