import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mediaAnswer } from './unlike-media.test-support.ts';
import { routes } from './unlike-operations.test-support.ts';
import { type Answer, Refusal, refusalAnswer } from './unlike-refusals.test-support.ts';
import { Store } from './unlike-store.test-support.ts';

interface Service {
  readonly store: Store;
  readonly keys: readonly string[];
  readonly origin: string;
}

export interface UnlikeService {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
  readonly otherApiKey: string;
  close(): Promise<void>;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const mediaPath = /^\/media\/([^/]+)\/(.+)$/;

function acceptedKey({ headers }: IncomingMessage, keys: readonly string[]): string {
  const [, key] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (key === undefined) {
    throw new Refusal('KEY_MISSING', {
      headers: { 'www-authenticate': 'Bearer realm="streams"' },
    });
  }
  if (!keys.includes(key)) throw new Refusal('KEY_REFUSED');
  return key;
}

function acceptedId(text: string | undefined): string {
  if (text === undefined) return '';
  const id = text.toLowerCase();
  if (!uuid.test(id)) throw new Refusal('ID_MALFORMED');
  return id;
}

/** The order of the steps is the order in which faults are noticed. */
async function apiAnswer(
  { store, keys, origin }: Service,
  request: IncomingMessage,
  path: string,
  search: string,
): Promise<Answer> {
  if (request.headers.origin !== undefined) throw new Refusal('ORIGIN_FORBIDDEN');
  const route = routes.find((candidate) => candidate.path.test(path));
  if (route === undefined) throw new Refusal('ROUTE_UNKNOWN');
  const headers = { allow: Object.keys(route.methods).join(', ') };
  if (request.method === 'OPTIONS') return { status: 204, headers };
  const operation = route.methods[request.method ?? ''];
  if (operation === undefined) throw new Refusal('METHOD_UNKNOWN', { headers });
  const owner = acceptedKey(request, keys);
  const id = acceptedId(route.path.exec(path)?.[1]);
  const query = new URLSearchParams(search);
  return operation({ store, request, origin, path, query, owner, id });
}

/** Reads carry an ETag, and a reader who already has that version gets no body. */
function withEntityTag(request: IncomingMessage, answer: Answer): Answer {
  if (request.method !== 'GET' || answer.status !== 200) return answer;
  const hash = createHash('sha256').update(answer.body ?? '');
  const etag = `"${hash.digest('base64url')}"`;
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  if (known.includes('*') || known.some((tag) => tag.replace(/^W\//, '') === etag)) {
    return { status: 304, headers: { etag } };
  }
  return { ...answer, headers: { ...answer.headers, etag } };
}

async function answerTo(service: Service, request: IncomingMessage): Promise<Answer> {
  const [path = '', ...rest] = (request.url ?? '').split('?');
  const [, id, file] = mediaPath.exec(path) ?? [];
  if (id !== undefined && file !== undefined) {
    return request.method === 'GET' ? mediaAnswer(service.store, id, file) : { status: 405 };
  }
  try {
    return withEntityTag(request, await apiAnswer(service, request, path, rest.join('?')));
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    throw error;
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve(`http://127.0.0.1:${port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Starts a service that keeps every stated rule of the interface and, where the interface is
 * silent, does things unlike most services do. `readyAfter` is the time in milliseconds between
 * the end of a recorded session and its recording.
 */
export async function startUnlikeService(
  options: { readyAfter?: number } = {},
): Promise<UnlikeService> {
  const { readyAfter = 50 } = options;
  const [apiKey, otherApiKey] = [randomUUID(), randomUUID()];
  const server = createServer();
  const origin = await listen(server);
  const service = { store: new Store(readyAfter), keys: [apiKey, otherApiKey], origin };
  server.on('request', (request, response) => {
    answerTo(service, request).then(
      (answer) => send(response, answer),
      // What is left is a request cut off by its client, or a mistake of this service.
      () => response.destroy(),
    );
  });
  return {
    baseUrl: `${origin}/v2`,
    controlUrl: `${origin}/backdoor`,
    apiKey,
    otherApiKey,
    close: () => close(server),
  };
}
