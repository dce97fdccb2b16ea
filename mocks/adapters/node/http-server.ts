import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { optionError } from '../../../option-error.ts';
import { controlPath } from '../../http/routes.ts';
import type { Mock } from '../../mock.ts';
import { describeValue } from '../../problems/problem.ts';
import { type ControlAccess, withControlGuard } from './control-guard.ts';
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
  /** Stops at once, and closes open connections. */
  close(): Promise<void>;
}

/** How a server listens. */
export interface ListenPlan extends ControlAccess {
  /** 0 picks a free port. */
  readonly port: number;
  /**
   * Whether the global `Request` and `Response` may be replaced by lighter ones, which more than
   * doubles the throughput. Only for a process that runs nothing but the server.
   */
  readonly ownsProcess: boolean;
}

/**
 * Listens for HTTP requests to a mock.
 * @throws RangeError for an invalid host or port; Error as Node's `listen` does, with its `code`.
 */
export async function startServer(mock: Mock, plan: ListenPlan): Promise<MockServer> {
  const { port, ownsProcess, controlOrigins } = plan;
  refuseBadPort(port);
  const host = readHost(plan.host);
  const guarded = withControlGuard(mock.fetch, { host, controlOrigins });
  const server = createServer(
    getRequestListener(createListener(withDashboard(mock, guarded)), {
      hostname: host,
      overrideGlobalObjects: ownsProcess,
      errorHandler: answerUnreadable,
    }),
  );
  const { origin } = new URL(`http://${host}:${await listen(server, port, plan.host)}`);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  try {
    mock.servedAt(origin);
  } catch (error) {
    await close();
    throw error;
  }
  return { origin, baseUrl: origin + mock.prefix, controlUrl: origin + controlPath, close };
}

/** Resolves with the port once the server listens. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function refuseBadPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  const got = describeValue(port);
  throw optionError(RangeError, 'port', `expected a whole number from 0 to 65535, got ${got}`);
}

/**
 * A host as URLs show it: in lower case, an IPv6 address short and in brackets. An empty one is
 * refused, because Node would listen on every interface of the machine.
 */
function readHost(host: string): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  if (URL.canParse(url)) return new URL(url).hostname;
  throw optionError(
    RangeError,
    'host',
    `expected a name or an address such as 127.0.0.1, got "${host}"`,
  );
}
