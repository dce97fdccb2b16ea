import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { optionError, readPageOrigin } from '../../../text/option-error.ts';
import { exceptionResponse, type Responder } from '../../http/app.ts';
import { whipPath } from '../../http/routes.ts';
import { Problem } from '../../messages/problem.ts';
import { publicUrl } from '../../messages/public-url.ts';
import { openToPages, problemResponse, toResponse } from '../../messages/response.ts';
import { controlPath } from '../../messages/tester-request.ts';
import { type Mock, responderOf } from '../../mock.ts';
import type { IngestAddresses } from '../../state/ingest.ts';
import { createBroadcasts } from '../ingest/broadcasts.ts';
import { isAnyAddress, localHost, readHost, readOwnAddress } from '../ingest/hosts.ts';
import { listenRtmp, type RtmpServer } from '../ingest/rtmp.ts';
import { createWhip, isWhip, loadWerift, refuseWhip } from '../ingest/whip.ts';
import { withControlGuard } from './control-guard.ts';
import { withDashboard } from './dashboard.ts';
import { JoinedMessage } from './joined-message.ts';
import type { Log } from './log.ts';
import { createListener } from './request-listener.ts';

/** A mock that is served over HTTP. */
export interface MockServer {
  /** The address that it listens on, as URLs show it, such as `127.0.0.1` or, for every address, `0.0.0.0`. */
  readonly host: string;
  /** The address on which it receives the media of browsers, if they can go live, as URLs show it. */
  readonly whipHost: string;
  /** Scheme, host and port, as programs on this machine reach it. */
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
  /**
   * The address on which the media of these browsers is received. Default: `host`. Firefox does not connect to the
   * loopback address, so it needs another address of this machine, or `0.0.0.0` for all of them.
   */
  whipHost?: string | undefined;
}

/** The options that only this project's own programs and tests use, besides the public ones. */
export interface StartOptions extends ServeOptions {
  /**
   * Whether the global `Request` and `Response` may be replaced with lighter ones, which more than doubles the
   * throughput. Only for a process that runs nothing but the server.
   */
  readonly ownsProcess?: boolean;
  /** What is written about what happens to the server. */
  readonly log?: Log;
}

/**
 * Listens for HTTP requests to a mock.
 * @throws RangeError for an invalid host, port or origin, or if encoders or cameras cannot go live; Error of Node's `listen`,
 * with its `code`.
 */
export async function startServer(mock: Mock, options: StartOptions = {}): Promise<MockServer> {
  const { port = 0, host: address = '127.0.0.1', controlOrigins = [] } = options;
  const host = readHost(address);
  for (const origin of controlOrigins) readPageOrigin('controlOrigins', origin);
  const { mediaOrigin } = mock;
  if (options.whipHost !== undefined && !options.whip) {
    throw optionError(RangeError, 'whipHost', 'expected whip to be on, got off');
  }
  const givenWhipHost =
    options.whipHost === undefined ? undefined : readOwnAddress('whipHost', options.whipHost);
  const guarded = withControlGuard(responderOf(mock), { host, controlOrigins, mediaOrigin });
  const respond = withDashboard(mock, guarded);
  const { log } = options;
  const broadcasts = createBroadcasts(mock, (protocol, reason) => {
    log?.tell({ kind: 'ingest-refused', message: `${protocol.toUpperCase()} refused: ${reason}` });
  });
  let respondToWhip: Responder = refuseWhip;
  const dispatch: Responder = (request) =>
    // The mock answers preflights of WHIP, too.
    isWhip(request.url) && request.method !== 'OPTIONS' ? respondToWhip(request) : respond(request);
  const server = createServer(
    { IncomingMessage: JoinedMessage },
    getRequestListener(createListener(log?.withRequests(dispatch) ?? dispatch), {
      hostname: host,
      overrideGlobalObjects: options.ownsProcess ?? false,
      errorHandler: respondToException,
    }),
  );
  server.listen(port, address);
  await once(server, 'listening');
  const listening = server.address() as AddressInfo;
  const { origin } = new URL(`http://${localHost(host)}:${listening.port}`);
  const publicAddress = publicUrl(new URL(origin), mediaOrigin);
  const whipHost = givenWhipHost ?? readHost(listening.address);
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
      respondToWhip = createWhip(broadcasts, whipHost);
      ingest.whip = publicAddress.origin + whipPath;
    }
    if (options.rtmp !== undefined) {
      rtmp = await listenRtmp(broadcasts, address, options.rtmp);
      const rtmpHost = isAnyAddress(host) ? publicAddress.hostname : host;
      ingest.rtmp = `rtmp://${rtmpHost}:${rtmp.port}/live`;
    }
    mock.servedAt(origin, ingest);
  } catch (exception) {
    await close();
    throw exception;
  }
  const baseUrl = origin + mock.prefix;
  return { host, whipHost, origin, baseUrl, controlUrl: origin + controlPath, ingest, close };
}

/** Responds if there is no request to pass to the mock, because the path and the host form no URL, or if the server fails. */
function respondToException(exception: unknown): Response {
  const { message } = exception as Error;
  if (!(exception instanceof RequestError))
    return toResponse(openToPages(exceptionResponse(exception as Error)));
  const expected = 'a path and a host header that form a URL';
  const issue = { path: 'request', expected, got: `"${message}"` };
  return toResponse(openToPages(problemResponse(new Problem('malformed', issue))));
}
