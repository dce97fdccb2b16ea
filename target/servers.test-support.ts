import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';
import { serve } from '../mocks/adapters/node/node.ts';
import { createMock, type Mock, type MockOptions } from '../mocks/index.ts';

/** A request that a server received. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server that ends with its test. */
export interface TestServer {
  readonly origin: string;
  readonly received: readonly Received[];
  /** Stops it early and closes its connections. */
  close(): void;
}

/** Serves a handler on a free port until the test ends. */
export async function serveHttp(handler: RequestListener): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers });
    response.on('error', () => {});
    handler(request, response);
  });
  server.on('clientError', (_, socket) => socket.destroy());
  return { ...(await listenUntilTestEnds(server)), received };
}

/** Serves raw connections: `respond` is called when a request begins to arrive. */
export async function serveRaw(respond: (socket: Socket) => void): Promise<TestServer> {
  const server = createRawServer((socket) => socket.once('data', () => respond(socket)));
  return { ...(await listenUntilTestEnds(server)), received: [] };
}

/** Lets a server listen on a free port until the test ends. */
export async function listenUntilTestEnds(server: Server): Promise<Omit<TestServer, 'received'>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** A mock on a free port until the test ends, in real time and with recordings ready at once. */
export async function serveMock(options: MockOptions = {}) {
  const mock = createMock({ now: Date.now, recordingDelay: 0, ...options });
  const server = await serve(mock);
  onTestFinished(() => server.close());
  const { baseUrl, controlUrl, origin } = server;
  return { mock, baseUrl, controlUrl, origin };
}

/** A mock behind a proxy that logs each request; `intercept` may respond instead of the mock. */
export async function serveProxy(
  { mock }: { mock: Mock },
  intercept: (request: Request) => Response | Promise<Response | undefined> | undefined,
): Promise<TestServer & { readonly baseUrl: string; readonly controlUrl: string }> {
  const server = await serveHttp(async (incoming, outgoing) => {
    const request = await toRequest(incoming, server.origin);
    const response = (await intercept(request.clone())) ?? (await mock.fetch(request));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  });
  return { ...server, baseUrl: `${server.origin}/api`, controlUrl: `${server.origin}/_mock` };
}

/** What a server received, for a mock to answer. */
export async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const chunks = await incoming.toArray().catch(() => []);
  const { method = 'GET', url = '/' } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  const hasBody = !['GET', 'HEAD'].includes(method) && chunks.length > 0;
  return new Request(origin + url, {
    method,
    headers: Object.fromEntries(headers),
    ...(hasBody && { body: Buffer.concat(chunks) }),
  });
}
