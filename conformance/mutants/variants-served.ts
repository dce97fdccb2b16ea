import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Fetch } from './rewrite.ts';
import { inexpressible, type Served, type Variant } from './variant.ts';

/** Writes a response's body. */
type Write = (response: ServerResponse, body: Buffer) => void;

/** Other ways to send responses over HTTP. */
export const servedVariants: Readonly<Record<string, Variant>> = inexpressible(
  'No row says how a body is transferred.',
  {
    'http-gzip': {
      description: 'Responses are compressed with gzip.',
      serve: serve((response, body) => {
        const packed = gzipSync(body);
        response.setHeader('content-encoding', 'gzip');
        response.setHeader('content-length', packed.length);
        response.end(packed);
      }),
    },
    'http-chunked': {
      description: 'Responses are sent in chunks, without a length.',
      serve: serve((response, body) => {
        const half = Math.ceil(body.length / 2);
        response.write(body.subarray(0, half));
        response.end(body.subarray(half));
      }),
    },
    'http-close': {
      description: 'Every connection is closed after one response.',
      serve: serve((response, body) => {
        response.setHeader('connection', 'close');
        response.end(body);
      }),
    },
  },
);

function serve(write: Write): (fetch: Fetch) => Promise<Served> {
  return async (fetch) => {
    const server = createServer((request, response) => {
      void respond(fetch, request, response, write);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      origin: `http://127.0.0.1:${port}`,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  };
}

async function respond(
  fetch: Fetch,
  request: IncomingMessage,
  response: ServerResponse,
  write: Write,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = 'GET', url = '/', headers } = request;
  const answered = await fetch(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    }),
  );
  response.statusCode = answered.status;
  for (const [name, value] of answered.headers) {
    if (name !== 'content-length') response.setHeader(name, value);
  }
  const body = Buffer.from(await answered.arrayBuffer());
  if (body.length === 0 || method === 'HEAD') response.end();
  else write(response, body);
}
