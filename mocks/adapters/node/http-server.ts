import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers';
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { optionError } from '../../../option-error.ts';
import { controlPath, whipPath } from '../../http/routes.ts';
import { Problem } from '../../messages/problem.ts';
import { bodyBreaksOff, problemResponse, toResponse } from '../../messages/response.ts';
import type { Mock } from '../../mock.ts';
import type { IngestAddresses } from '../../state/control.ts';
import { createBroadcasts, type RefusalListener } from '../ingest/broadcasts.ts';
import { listenRtmp, type RtmpServer } from '../ingest/rtmp.ts';
import { createWhip, isWhip, loadWerift, refuseWhip } from '../ingest/whip.ts';
import { withControlGuard } from './control-guard.ts';
import { withDashboard } from './dashboard.ts';
import { readRawHeaders } from './raw-headers.ts';

/** A mock that is served over HTTP. */
export interface MockServer {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The interface's base URL, such as `http://127.0.0.1:4100/api`. */
  readonly baseUrl: string;
  /** The control API's base URL, such as `http://127.0.0.1:4100/_mock`. */
  readonly controlUrl: string;
  /** Where encoders and cameras go live, if that was asked for. */
  readonly ingest: IngestAddresses;
  /** Stops at once, and closes open connections. */
  close(): Promise<void>;
}

/** Where a mock listens. All options are optional. */
export interface ServeOptions {
  /** The port; 0, the default, picks a free one. */
  port?: number;
  /** The address to listen on; default the loopback address `127.0.0.1`. */
  host?: string;
  /**
   * Origins whose pages may use the control API, besides the server's own, or other names of the server's own, such as
   * `http://mock:4100`. Default: none.
   */
  controlOrigins?: readonly string[];
  /**
   * The port on which encoders go live by RTMP, with the package node-media-server; 0 picks a free one. Default: no
   * RTMP.
   */
  rtmp?: number | undefined;
  /** Whether browsers can go live by WHIP at `/webrtc/STREAM_KEY`, with the package werift; default false. */
  whip?: boolean | undefined;
}

/** The options that only this project's own programs and tests use, besides the public ones. */
export interface StartOptions extends ServeOptions {
  /**
   * Whether the global `Request` and `Response` may be replaced with lighter ones, which more than doubles the
   * throughput. Only for a process that runs nothing but the server.
   */
  readonly ownsProcess?: boolean;
  /** Called with the reason why an encoder or a camera was refused. */
  readonly onRefusal?: RefusalListener;
}

/**
 * Listens for HTTP requests to a mock.
 * @throws RangeError for an invalid host or port, or if encoders or cameras cannot go live; Error of Node's `listen`,
 * with its `code`.
 */
export async function startServer(mock: Mock, options: StartOptions = {}): Promise<MockServer> {
  const { port = 0, host: address = '127.0.0.1', controlOrigins = [] } = options;
  const host = readHost(address);
  const guarded = withControlGuard(mock.fetch, { host, controlOrigins });
  const respond = withDashboard(mock, guarded);
  const broadcasts = createBroadcasts(mock, options.onRefusal);
  let respondToWhip: Mock['fetch'] = refuseWhip;
  const fetch: Mock['fetch'] = (request) =>
    // The mock answers preflights of WHIP, too.
    isWhip(request.url) && request.method !== 'OPTIONS' ? respondToWhip(request) : respond(request);
  const server = createServer(
    getRequestListener(createListener(fetch), {
      hostname: host,
      overrideGlobalObjects: options.ownsProcess ?? false,
      errorHandler: respondToUnreadable,
    }),
  );
  server.listen(port, address);
  await once(server, 'listening');
  const listening = server.address() as AddressInfo;
  const { origin } = new URL(`http://${host}:${listening.port}`);
  let rtmp: RtmpServer | undefined;
  const close = async (): Promise<void> => {
    rtmp?.close();
    await broadcasts.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
  const ingest: IngestAddresses = {};
  try {
    if (options.whip) {
      await loadWerift();
      respondToWhip = createWhip(broadcasts, listening.address);
      ingest.whip = origin + whipPath;
    }
    if (options.rtmp !== undefined) {
      rtmp = await listenRtmp(broadcasts, address, options.rtmp);
      ingest.rtmp = rtmp.address;
    }
    mock.servedAt(origin, ingest);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    origin,
    baseUrl: origin + mock.prefix,
    controlUrl: origin + controlPath,
    ingest,
    close,
  };
}

/**
 * A host as URLs show it: in lower case, with an IPv6 address shortened and in brackets. An empty one is refused,
 * because Node would listen on every interface of the machine.
 */
function readHost(host: string): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  if (URL.canParse(url)) return new URL(url).hostname;
  const reason = `expected a name or an address such as 127.0.0.1, got "${host}"`;
  throw optionError(RangeError, 'host', reason);
}

type Incoming = (HttpBindings | Http2Bindings)['incoming'];
type Outgoing = (HttpBindings | Http2Bindings)['outgoing'];

type Listener = (request: Request, bindings: HttpBindings | Http2Bindings) => Promise<Response>;

/** Makes the function that carries requests from Node's server to a mock, and its responses back. */
function createListener(fetch: Mock['fetch']): Listener {
  return async (request, { incoming, outgoing }) => {
    Object.defineProperty(request, 'headers', { value: readRawHeaders(incoming.rawHeaders) });
    const response = await fetch(request);
    await turnEnd();
    // A fault asks for a broken connection with `Response.error()`, whose status is 0.
    if (response.status === 0) {
      // There is no socket while earlier responses on the same connection are being sent.
      if (outgoing.socket === null) await once(outgoing, 'socket');
      outgoing.socket?.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
    return bodyBreaksOff(response) ? closeBehind(response, incoming, outgoing) : response;
  };
}

// Saved at the start, so that a test that replaces the timers of its process still gets responses.
const afterThisTurn = setImmediate;

let turn: Promise<void> | undefined;

/**
 * Resolves in the next turn of the event loop, so that all responses of one turn are sent together. Waking a sleeping
 * client costs more than most responses; a second write to a client that is awake costs little.
 */
function turnEnd(): Promise<void> {
  turn ??= new Promise((resolve) => {
    afterThisTurn(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/**
 * Ends a body that breaks off, and closes the connection once it is sent. If the stream failed instead, the server would
 * discard what it has not sent yet.
 */
function closeBehind(
  { status, headers, body }: Response,
  { socket }: Incoming,
  outgoing: Outgoing,
): Response {
  async function* untilItBreaks() {
    try {
      yield* body ?? [];
    } catch {
      outgoing.once('finish', () => socket.destroy());
    }
  }
  const shorter = ReadableStream.from(untilItBreaks()) as BodyInit;
  return new Response(shorter, { status, headers });
}

/** Responds if the path and the host form no URL, so that there is no request to pass to the mock. */
function respondToUnreadable(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error);
  const expected = 'a path and a host header that form a URL';
  const issue = { path: 'request', expected, got: `"${message}"` };
  return toResponse(problemResponse(new Problem('malformed', issue)));
}
