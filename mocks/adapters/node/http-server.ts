import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { optionError } from '../../../option-error.ts';
import { controlPath } from '../../http/routes.ts';
import type { Mock } from '../../mock.ts';
import type { IngestAddresses } from '../../state/ingest.ts';
import { createBroadcasts, type RefusalListener } from '../ingest/broadcasts.ts';
import { listenRtmp, type RtmpServer } from '../ingest/rtmp.ts';
import { loadWerift, openReceiver } from '../ingest/whip.ts';
import { answerWhip, isWhip, refuseWhip, whipPath } from '../ingest/whip-requests.ts';
import { withControlGuard } from './control-guard.ts';
import { withDashboard } from './dashboard.ts';
import { answerUnreadable, createListener } from './listener.ts';

/** A mock that answers over HTTP. */
export interface MockServer {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The interface's base address, such as `http://127.0.0.1:4100/api`. */
  readonly baseUrl: string;
  /** The control API's base address, such as `http://127.0.0.1:4100/_mock`. */
  readonly controlUrl: string;
  /** Where encoders and cameras go live, where that was asked for. */
  readonly ingest: IngestAddresses;
  /** Stops at once, and closes open connections. */
  close(): Promise<void>;
}

/** Where a mock listens; every key may be left out. */
export interface ServeOptions {
  /** 0 picks a free port; 0 unless given. */
  port?: number;
  /** Address to listen on; the loopback address `127.0.0.1` unless given. */
  host?: string;
  /**
   * Origins whose pages may use the control API, beside the server's own; or the server's own by
   * another name, such as `http://mock:4100`. None unless given.
   */
  controlOrigins?: readonly string[];
  /**
   * Port on which encoders go live by RTMP, with the package node-media-server; 0 picks a free one. None
   * unless given.
   */
  rtmp?: number | undefined;
  /** Whether browsers go live by WHIP at `/webrtc/STREAM_KEY`, with the package werift; not unless given. */
  whip?: boolean | undefined;
}

/** How a server listens. */
export interface ListenPlan extends ServeOptions {
  /**
   * Whether the global `Request` and `Response` may be replaced by lighter ones, which more than
   * doubles the throughput. Only for a process that runs nothing but the server.
   */
  readonly ownsProcess?: boolean;
  /** Is told why an encoder or a camera was refused. */
  readonly onRefusal?: RefusalListener;
}

/**
 * Listens for HTTP requests to a mock.
 * @throws RangeError for an invalid host or port, and where encoders and cameras cannot go live; Error as
 * Node's `listen` does, with its `code`.
 */
export async function startServer(mock: Mock, plan: ListenPlan = {}): Promise<MockServer> {
  const { port = 0, host: address = '127.0.0.1', controlOrigins = [], ownsProcess = false } = plan;
  const host = readHost(address);
  const guarded = withControlGuard(mock.fetch, { host, controlOrigins });
  const answer = withDashboard(mock, guarded);
  const broadcasts = createBroadcasts(mock, plan.onRefusal);
  let answerCamera: Mock['fetch'] = refuseWhip;
  const fetch: Mock['fetch'] = (request) =>
    // A preflight is answered as everywhere.
    isWhip(request.url) && request.method !== 'OPTIONS' ? answerCamera(request) : answer(request);
  const server = createServer(
    getRequestListener(createListener(fetch), {
      hostname: host,
      overrideGlobalObjects: ownsProcess,
      errorHandler: answerUnreadable,
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
    if (plan.whip) {
      await loadWerift();
      answerCamera = answerWhip(broadcasts, () => openReceiver(listening.address));
      ingest.whip = origin + whipPath;
    }
    if (plan.rtmp !== undefined) {
      rtmp = await listenRtmp(broadcasts, address, plan.rtmp);
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
 * A host as URLs show it: in lower case, an IPv6 address short and in brackets. An empty one is
 * refused, because Node would listen on every interface of the machine.
 */
function readHost(host: string): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  if (URL.canParse(url)) return new URL(url).hostname;
  const reason = `expected a name or an address such as 127.0.0.1, got "${host}"`;
  throw optionError(RangeError, 'host', reason);
}
