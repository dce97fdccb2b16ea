import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { optionError } from '../../../option-error.ts';
import { controlPath } from '../../http/routes.ts';
import { bodyBreaksOff, problemResponse, toResponse } from '../../messages/response.ts';
import type { Mock } from '../../mock.ts';
import { Problem } from '../../problems/problem.ts';
import { type ControlAccess, guardControl } from './control-guard.ts';
import { type DashboardFile, dashboardFile } from './dashboard.ts';
import { createPipelining } from './pipelining.ts';
import { createHeaderReader } from './raw-headers.ts';
import { createTurns } from './turns.ts';

/** A mock that answers over HTTP. */
export interface MockServer {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The interface's base address, such as `http://127.0.0.1:4100/api`. */
  readonly baseUrl: string;
  /** The control API's base address, such as `http://127.0.0.1:4100/_mock`. */
  readonly controlUrl: string;
  /** Stops at once: connections that are open are closed. */
  close(): Promise<void>;
}

/** How a server listens. */
export interface ListenPlan extends ControlAccess {
  /** 0 picks a free port. */
  readonly port: number;
  /**
   * Whether `Request` and `Response` of the whole process may be replaced by lighter ones, which
   * more than doubles the throughput. Only for a process that is all ours.
   */
  readonly ownsProcess: boolean;
}

/**
 * Listens for HTTP requests to a mock.
 * @throws RangeError for what is no host; Error as Node's `listen` does, with its `code`.
 */
export async function startServer(mock: Mock, plan: ListenPlan): Promise<MockServer> {
  const { port, ownsProcess, controlOrigins } = plan;
  const host = readHost(plan.host);
  const guarded = withGuard(mock.fetch, { host, controlOrigins });
  const server = createServer(
    getRequestListener(createListener(withDashboard(mock, guarded)), {
      hostname: host,
      overrideGlobalObjects: ownsProcess,
      errorHandler: answerUnreadable,
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, plan.host, resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port: chosen } = server.address() as AddressInfo;
  const { origin } = new URL(`http://${host}:${chosen}`);
  try {
    mock.servedAt(origin);
  } catch (error) {
    await close();
    throw error;
  }
  return { origin, baseUrl: origin + mock.prefix, controlUrl: origin + controlPath, close };
}

/**
 * A host as addresses show it: in lower case, an IPv6 address short and in brackets. An empty one,
 * which Node takes for every interface of the machine, is none.
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

type Fetch = Mock['fetch'];

/** Answers with the dashboard where it lies, which is code that is loaded once it is asked for. */
function withDashboard(mock: Mock, fetch: Fetch): Fetch {
  const answer = async (file: DashboardFile): Promise<Response> => {
    const { answerDashboard } = await import('./answer-dashboard.ts');
    return answerDashboard(mock, file);
  };
  return (request) => {
    const file = dashboardFile(request);
    return file === undefined ? fetch(request) : answer(file);
  };
}

function withGuard(fetch: Fetch, access: ControlAccess): Fetch {
  return (request) => {
    try {
      guardControl(request, access);
    } catch (error) {
      if (error instanceof Problem) return Promise.resolve(toResponse(problemResponse(error)));
      throw error;
    }
    return fetch(request);
  };
}

type Outgoing = (HttpBindings | Http2Bindings)['outgoing'];

/** An answer that is an error, as a fault asks for, is a connection that is reset. */
function createListener(fetch: Fetch) {
  const readHeaders = createHeaderReader();
  const nextTurn = createTurns();
  const awaitTurn = createPipelining();
  return async (
    request: Request,
    { incoming, outgoing }: HttpBindings | Http2Bindings,
  ): Promise<Response> => {
    Object.defineProperty(request, 'headers', { value: readHeaders(incoming.rawHeaders) });
    if (outgoing.socket === null) await awaitTurn(incoming, outgoing);
    const response = await fetch(request);
    await nextTurn();
    if (response.status === 0) {
      outgoing.socket?.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
    return bodyBreaksOff(response) ? hangUpBehind(response, outgoing) : response;
  };
}

/**
 * A body that breaks off ends early instead, and the connection with it once the rest is sent: for a
 * body that is an error, all that waits to be sent would be thrown away.
 */
function hangUpBehind({ status, headers, body }: Response, outgoing: Outgoing): Response {
  const reader = body?.getReader();
  // Once it has finished, it has no socket any more.
  const { socket } = outgoing;
  const shorter = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value } = (await reader?.read()) ?? {};
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      } catch {
        outgoing.once('finish', () => socket?.destroy());
        controller.close();
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return new Response(shorter, { status, headers });
}

/** The answer where path and host make no URL, so that there is no request to hand to the mock. */
function answerUnreadable(error: unknown): Response {
  const fault = error instanceof Error ? error.message : String(error);
  return toResponse(
    problemResponse(
      new Problem('malformed', {
        path: 'request',
        expected: 'a path and a header host that make a URL',
        got: `"${fault}"`,
      }),
    ),
  );
}
