import { randomUUID } from 'node:crypto';
import type { RTCPeerConnection } from 'werift';
import { defaultBehaviours } from '../../../interface/dialect/behaviours.ts';
import { missingPackage } from '../../../text/option-error.ts';
import { readUrl } from '../../http/app.ts';
import { readBytes } from '../../http/read-body.ts';
import { corsHeaders } from '../../http/responses/cors-headers.ts';
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
import { type Broadcast, type Broadcasts, longestSilence, type Place } from './broadcasts.ts';
import { isAnyAddress, isLoopback } from './hosts.ts';

const whipUrl = new RegExp(`^https?://[^/]+${whipPath}([/?]|$)`);

/** Whether WHIP answers at a URL. */
export function isWhip(url: string): boolean {
  return whipUrl.test(url);
}

/** A camera that was answered. Until its connection is up, its stream is not live. */
interface Camera {
  readonly streamKey: string;
  readonly place: Place;
}

/**
 * Makes the function that answers WHIP requests (RFC 9725). Once the connection of an offer is up, the stream of its key
 * is live until the browser sends DELETE or is gone. Media is received on ports of the address `host`, and dropped.
 */
export function createWhip(broadcasts: Broadcasts, host: string): Mock['fetch'] {
  const cameras = new Map<string, Camera>();
  const begin = async (request: Request, streamKey: string): Promise<PlainResponse> => {
    let place: Place | undefined;
    let timer: NodeJS.Timeout | undefined;
    const stopWaiting = (): void => clearTimeout(timer);
    try {
      const offer = await readOffer(request);
      // Otherwise an offer whose key is refused would open a port.
      await broadcasts.find(streamKey);
      const connection = createConnection(await loadWerift(), host);
      const id = randomUUID();
      place = broadcasts.take('whip', streamKey, () => {
        stopWaiting();
        cameras.delete(id);
        void connection.close().catch(() => {});
      });
      cameras.set(id, { streamKey, place });
      const body = [await answerOffer(connection, offer)];
      const { leave } = place;
      timer = setTimeout(() => {
        broadcasts.onRefusal('whip', noConnection(host));
        void leave();
      }, longestSilence);
      goLiveOnceConnected(connection, place, (reason) => {
        stopWaiting();
        if (reason !== undefined) broadcasts.onRefusal('whip', reason);
      });
      return plainResponse(201, body, {
        'access-control-expose-headers': 'location',
        'content-type': 'application/sdp',
        location: `${whipPath}/${streamKey}/${id}`,
      });
    } catch (exception) {
      await place?.leave();
      broadcasts.onRefusal('whip', (exception as Error).message);
      throw exception;
    }
  };
  const end = async (streamKey: string, id: string): Promise<void> => {
    const camera = cameras.get(id);
    if (camera?.streamKey === streamKey) return camera.place.leave();
    const expected = 'a session that was begun with this stream key';
    throw new Problem('unknown', { path: 'ingest', expected, got: 'another' });
  };
  const respond = async (request: Request): Promise<PlainResponse> => {
    const { method } = request;
    const { pathname } = readUrl(request);
    const [streamKey = '', sessionId, ...extra] = pathname
      .slice(whipPath.length + 1)
      .replace(/(?<=.)\/$/, '')
      .split('/');
    if (streamKey === '' || sessionId === '' || extra.length > 0) {
      const expected = `${whipPath}/STREAM_KEY`;
      throw new Problem('unknown', { path: 'path', expected, got: describeValue(pathname) });
    }
    const allow = sessionId === undefined ? 'HEAD, POST' : 'DELETE';
    if (!allow.split(', ').includes(method)) {
      return jsonResponse(405, { errors: [`method: expected ${allow}, got ${method}`] }, { allow });
    }
    if (method === 'POST') return begin(request, streamKey);
    if (sessionId !== undefined) await end(streamKey, sessionId);
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
  const cors = corsHeaders(
    request.headers.get('origin'),
    request.method,
    status,
    defaultBehaviours,
  );
  return toResponse({ status, body, headers: { ...cors, ...headers } });
}

function whipRefusal(exception: unknown): PlainResponse {
  if (exception instanceof Problem) return problemResponse(exception);
  throw exception;
}

const maxOffer = 64 * 1024;

/**
 * What is left out of an offer: ICE candidates, as the browser connects to us, and its wish to send several encodings of
 * one picture, because we drop what comes. Without an answer to that, it sends one.
 */
const leftOut =
  /^a=(candidate:|simulcast:|rid:|extmap:\d\S* urn:ietf:params:rtp-hdrext:sdes:(repaired-)?rtp-stream-id)[^\r\n]*(\r?\n)?/gm;

/** The offer in a request. */
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
  return text.replace(leftOut, '');
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
function createConnection(library: Library, host: string): RTCPeerConnection {
  const isAny = isAnyAddress(host);
  const address = host.replace(/^\[|\]$/g, '');
  return new library.RTCPeerConnection({
    iceServers: [],
    iceLite: true,
    iceUseIpv4: isAny,
    iceUseIpv6: host === '[::]',
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
  const answer = await connection.createAnswer().catch(({ message }: Error) => {
    throw badOffer(message);
  });
  // Tracks without a common codec are refused with port 0.
  if (!/^m=\w+ [1-9]/m.test(answer.sdp)) throw badOffer('one without VP8, H.264, VP9 or Opus');
  await connection.setLocalDescription(answer);
  return connection.localDescription?.sdp ?? '';
}

const codecNames: Readonly<Record<string, string>> = { H264: 'H.264', opus: 'Opus' };

/**
 * Goes live once the connection is up, and leaves the place when the other side closes it or it fails. A browser that
 * cannot reach us gets an answer, too, so without a connection nothing may begin. `onConnection` is called once, with
 * the reason if the stream could not go live.
 */
function goLiveOnceConnected(
  connection: RTCPeerConnection,
  place: Place,
  onConnection: (reason?: string) => void,
): void {
  let hasConnected = false;
  const goLive = async (): Promise<void> => {
    hasConnected = true;
    try {
      countMedia(connection, await place.goLive());
      onConnection();
      // It may have gone while the change was stored.
      if (isGone(connection)) await place.leave();
    } catch (exception) {
      onConnection((exception as Error).message);
      await place.leave();
    }
  };
  for (const { onStateChange } of connection.dtlsTransports) {
    onStateChange.subscribe((state) => {
      if (state === 'connected' && !hasConnected) void goLive();
      if (state === 'closed' || state === 'failed') void place.leave();
    });
  }
}

function isGone({ dtlsTransports }: RTCPeerConnection): boolean {
  return dtlsTransports.some(({ state }) => state === 'closed' || state === 'failed');
}

/** Why no connection came, as far as we know. */
function noConnection(host: string): string {
  const advice = isLoopback(host)
    ? '; Firefox does not connect to the loopback address: --whip-host 0.0.0.0 (in code, whipHost) receives on every address'
    : '';
  return `connection: expected one to ${host} within ${longestSilence / 1000} s, got none${advice}`;
}

/**
 * Counts what comes in, by the payload types that were agreed on. The library's own tracks would miss a browser that
 * offered several encodings, because it does not announce the one that it sends.
 */
function countMedia(connection: RTCPeerConnection, broadcast: Broadcast): void {
  const formats = connection
    .getTransceivers()
    .flatMap(({ kind, codecs }) =>
      codecs.map(({ payloadType, name }) => [payloadType, { kind, name }] as const),
    );
  const formatOf = new Map(formats);
  for (const { onRtp } of connection.dtlsTransports) {
    onRtp.subscribe(({ header, payload }) => {
      const { kind, name = '' } = formatOf.get(header.payloadType) ?? {};
      const codec = codecNames[name] ?? name;
      if (kind === 'audio') broadcast.receive(payload.length, 0, { audioCodec: codec });
      if (kind !== 'video') return;
      broadcast.receive(payload.length, header.marker ? 1 : 0, { videoCodec: codec });
    });
  }
}
