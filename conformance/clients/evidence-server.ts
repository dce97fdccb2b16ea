import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { type MockEvidence, parseReport } from './run-evidence.ts';

/** The largest report that is read, in bytes. */
const largestReport = 64 * 1024 * 1024;

/** Where the mocks of the tests report what they saw, and learn which dialect they have. */
export interface EvidenceServer {
  /** The address to send reports to. Nobody can guess it. */
  readonly url: string;
  /** The address that gives the dialect of the run as JSON; `undefined` without one. */
  readonly dialectUrl: string | undefined;
  close(): Promise<void>;
}

/**
 * Listens on the loopback address for reports of mocks, which may run in a page of any origin, and gives them the dialect
 * of the run.
 */
export async function listenForEvidence(
  onEvidence: (evidence: MockEvidence) => void,
  dialect?: Dialect,
): Promise<EvidenceServer> {
  const path = `/${randomUUID()}`;
  const dialectPath = `${path}/dialect.json`;
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (request.url === dialectPath && dialect !== undefined) return sendJson(response, dialect);
    if (request.url !== path) return end(response, 404);
    if (request.method === 'OPTIONS') return preflight(response);
    if (request.method !== 'POST') return end(response, 405);
    try {
      onEvidence(parseReport(await readText(request)));
      return end(response, 204);
    } catch {
      return end(response, 422);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: origin + path,
    dialectUrl: dialect && origin + dialectPath,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A page asks before it sends JSON to another origin, or from a public address to this machine. */
function preflight(response: ServerResponse): void {
  response.setHeader('access-control-allow-headers', '*');
  response.setHeader('access-control-allow-private-network', 'true');
  end(response, 204);
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestReport) throw new RangeError('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
