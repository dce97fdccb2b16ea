import type { RTCPeerConnection } from 'werift';
import { defaultBehaviours } from '../../../interface/dialect/behaviours.ts';
import { missingPackage } from '../../../text/option-error.ts';
import { readUrl } from '../../http/app.ts';
import { corsHeaders } from '../../http/apply-dialect.ts';
import { readBytes } from '../../http/read-body.ts';
import { whipPath } from '../../http/routes.ts';
import { describeValue, Problem } from '../../messages/problem.ts';
import {
  jsonResponse,
  type PlainResponse,
  plainResponse,
  problemResponse,
  toResponse,
} from '../../messages/response.ts';
import type { Mock } from '../../mock.ts';
import type { Broadcast, Broadcasts } from './broadcasts.ts';

const whipUrl = new RegExp(`^https?://[^/]+${whipPath}([/?]|$)`);

/** Whether WHIP answers at a URL. */
export function isWhip(url: string): boolean {
  return whipUrl.test(url);
}

/**
 * Makes the function that answers WHIP requests (RFC 9725). After an offer, the stream of its key is live until the
 * browser sends DELETE or is gone. Media is received on ports of `address`, and dropped.
 */
export function createWhip(broadcasts: Broadcasts, address: string): Mock['fetch'] {
  const begin = async (request: Request, streamKey: string): Promise<PlainResponse> => {
    let hangUp = (): void => {};
    try {
      const offer = await readOffer(request);
      // Otherwise an offer whose key is refused would open a port.
      await broadcasts.find(streamKey);
      const connection = createConnection(await loadWerift(), address);
      hangUp = () => void connection.close().catch(() => {});
      const body = [await answerOffer(connection, offer)];
      const broadcast = await broadcasts.goLive('whip', streamKey, hangUp);
      followMedia(connection, broadcast);
      return plainResponse(201, body, {
        'access-control-expose-headers': 'location',
        'content-type': 'application/sdp',
        location: `${whipPath}/${streamKey}/${broadcast.sessionId}`,
      });
    } catch (error) {
      hangUp();
      broadcasts.onRefusal('whip', (error as Error).message);
      throw error;
    }
  };
  const respond = async (request: Request): Promise<PlainResponse> => {
    const { method } = request;
    const { pathname } = readUrl(request);
    const [streamKey = '', sessionId, ...extra] = pathname.slice(whipPath.length + 1).split('/');
    if (streamKey === '' || sessionId === '' || extra.length > 0) {
      const expected = `${whipPath}/STREAM_KEY`;
      throw new Problem('unknown', { path: 'path', expected, got: pathname });
    }
    const allow = sessionId === undefined ? 'HEAD, POST' : 'DELETE';
    if (!allow.split(', ').includes(method)) {
      return jsonResponse(405, { errors: [`method: expected ${allow}, got ${method}`] }, { allow });
    }
    if (method === 'POST') return begin(request, streamKey);
    if (sessionId !== undefined) await broadcasts.end(streamKey, sessionId);
    return plainResponse(200, null);
  };
  return async (request) => whipResponse(request, await respond(request).catch(whipRefusal));
}

/** Answers WHIP requests if WHIP is off. */
export async function refuseWhip(request: Request): Promise<Response> {
  const advice = 'start the server with --whip';
  const issue = { path: 'whip', expected: 'WHIP to be on', got: 'off', advice };
  return whipResponse(request, whipRefusal(new Problem('unknown', issue)));
}

/** A response that pages of other origins may read, as they may read media. */
function whipResponse(request: Request, { status, body, headers }: PlainResponse): Response {
  const cors = corsHeaders(request, status, defaultBehaviours);
  return toResponse({ status, body, headers: { ...cors, ...headers } });
}

function whipRefusal(error: unknown): PlainResponse {
  if (error instanceof Problem) return problemResponse(error);
  throw error;
}

const maxOffer = 64 * 1024;

/** The offer in a request, without ICE candidates, as the browser connects to us. */
async function readOffer(request: Request): Promise<string> {
  const expected = 'application/sdp';
  const type = request.headers.get('content-type') ?? undefined;
  if (!type?.toLowerCase().startsWith(expected)) {
    const got = describeValue(type);
    throw new Problem('unsupported-type', { path: 'header content-type', expected, got });
  }
  const text = new TextDecoder().decode(await readBytes(request, { bytes: maxOffer }));
  const kinds = text.match(/(?<=^m=)\w*/gm) ?? ['nothing'];
  if (kinds.length > maxOfferTracks) throw badOffer(`one with ${kinds.length}`);
  const unexpectedKind = kinds.find((kind) => kind !== 'audio' && kind !== 'video');
  if (unexpectedKind !== undefined) throw badOffer(`one with ${describeValue(unexpectedKind)}`);
  return text.replace(/^a=candidate:[^\r\n]*(\r?\n)?/gm, '');
}

type Library = typeof import('werift');

/**
 * Loads werift.
 * @throws RangeError if it is not installed.
 */
export function loadWerift(): Promise<Library> {
  return import('werift').catch(() => {
    throw missingPackage('whip', 'werift', '0.24');
  });
}

/** Maximum number of tracks in an offer. */
const maxOfferTracks = 4;

function badOffer(got: string): Problem {
  const expected = `an SDP offer of at most ${maxOfferTracks} tracks, all audio or video`;
  return new Problem('malformed', { path: 'body', expected, got });
}

/** Receives on this address only: no STUN, no outgoing ICE checks. */
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
      // Browsers send the first one.
      video: [library.useVP8(), library.useH264(), library.useVP9()],
      audio: [library.useOPUS()],
    },
  });
}

/**
 * Answers an offer.
 * @throws Problem 400 if it is malformed.
 */
async function answerOffer(connection: RTCPeerConnection, sdp: string): Promise<string> {
  await connection.setRemoteDescription({ type: 'offer', sdp }).catch(({ message }: Error) => {
    throw badOffer(message);
  });
  await connection.setLocalDescription(await connection.createAnswer());
  return connection.localDescription?.sdp ?? '';
}

const codecNames: Readonly<Record<string, string>> = { H264: 'H.264', opus: 'Opus' };

/** Counts what comes in. Ends the broadcast when the other side closes the connection or it fails. */
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
