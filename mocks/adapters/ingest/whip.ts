import type { RTCPeerConnection } from 'werift';
import { missingPackage } from '../../../option-error.ts';
import type { Broadcast } from './broadcasts.ts';
import { badOffer, type Receiver } from './whip-requests.ts';

/**
 * Makes what opens receivers, whose media comes to ports of `address`.
 * @throws RangeError when werift is not installed.
 */
export async function createReceivers(address: string): Promise<() => Receiver> {
  const library: Library = await import('werift').catch(() => {
    throw missingPackage('whip', 'werift', '0.24');
  });
  return () => {
    const connection = createConnection(library, address);
    return {
      answer: (offer) => answerOffer(connection, offer),
      hangUp: () => void connection.close().catch(() => {}),
      follow: (broadcast) => followMedia(connection, broadcast),
    };
  };
}

type Library = typeof import('werift');

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
