import { readBytes } from '../../http/read-body.ts';
import { describeValue, Problem } from '../../messages/problem.ts';
import {
  jsonResponse,
  type PlainResponse,
  plainResponse,
  problemResponse,
  toResponse,
} from '../../messages/response.ts';
import type { Mock } from '../../mock.ts';
import type { Broadcasts } from './broadcasts.ts';
import { badOffer, maxTracks, type Receiver } from './whip.ts';

/** The path at which browsers go live, from the origin; a stream key follows. */
export const whipPath = '/webrtc';

/** Whether a URL is one of WHIP. */
export function isWhip(url: string): boolean {
  return /^https?:\/\/[^/]+\/webrtc([/?]|$)/.test(url);
}

/**
 * Makes what answers requests of WHIP (RFC 9725): after an offer the stream of its key is live, until the
 * browser sends DELETE or is gone.
 */
export function answerWhip(
  broadcasts: Broadcasts,
  openReceiver: () => Promise<Receiver>,
): Mock['fetch'] {
  const begin = async (request: Request, streamKey: string): Promise<PlainResponse> => {
    let hangUp = (): void => {};
    try {
      const offer = await readOffer(request);
      // Otherwise one whose key is refused would open a port.
      await broadcasts.find(streamKey);
      const receiver = await openReceiver();
      hangUp = receiver.hangUp;
      const body = [await receiver.answer(offer)];
      const broadcast = await broadcasts.goLive('whip', streamKey, hangUp);
      receiver.follow(broadcast);
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
    const { method, url } = request;
    const { pathname } = new URL(url);
    const [, streamKey, sessionId] = /^\/webrtc\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (streamKey === undefined) {
      throw new Problem('unknown', { path: 'path', expected: '/webrtc/STREAM_KEY', got: pathname });
    }
    const allow = sessionId === undefined ? 'HEAD, POST' : 'DELETE';
    if (!allow.split(', ').includes(method)) {
      return jsonResponse(405, { errors: [`method: expected ${allow}, got ${method}`] }, { allow });
    }
    if (method === 'POST') return begin(request, streamKey);
    if (sessionId !== undefined) await broadcasts.end(streamKey, sessionId);
    return plainResponse(200, null);
  };
  return (request) => respond(request).catch(refuse).then(toResponse);
}

/** Answers requests of WHIP where it is off. */
export async function refuseWhip(): Promise<Response> {
  const advice = 'start the server with --whip';
  const issue = { path: 'whip', expected: 'it to be on', got: 'off', advice };
  return toResponse(refuse(new Problem('unknown', issue)));
}

function refuse(error: unknown): PlainResponse {
  if (error instanceof Problem) return problemResponse(error);
  throw error;
}

const maxOffer = 64 * 1024;

/** The offer in a request, without the addresses of its sender: the sender comes by itself. */
async function readOffer(request: Request): Promise<string> {
  const expected = 'application/sdp';
  const type = request.headers.get('content-type') ?? undefined;
  if (!type?.toLowerCase().startsWith(expected)) {
    const got = describeValue(type);
    throw new Problem('unsupported-type', { path: 'header content-type', expected, got });
  }
  const text = new TextDecoder().decode(await readBytes(request, maxOffer));
  const kinds = text.match(/(?<=^m=)\w*/gm) ?? ['nothing'];
  if (kinds.length > maxTracks) throw badOffer(`one with ${kinds.length}`);
  const other = kinds.find((kind) => kind !== 'audio' && kind !== 'video');
  if (other !== undefined) throw badOffer(`one with ${describeValue(other)}`);
  return text.replace(/^a=candidate:[^\r\n]*(\r?\n)?/gm, '');
}
