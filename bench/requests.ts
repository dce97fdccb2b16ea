import { Agent, request } from 'node:http';

/** One request, and the status that its response must have. */
export interface Work {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
}

/** A response with its whole body. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const keyHeaders = { authorization: 'Bearer test-demo' };

/** A GET of the interface. */
export function get(path: string, headers: Work['headers'] = keyHeaders): Work {
  return { method: 'GET', path, headers, status: 200 };
}

/** A GET of some bytes of a file. */
export function getRange(path: string, first: number, last: number): Work {
  return { ...get(path, { ...keyHeaders, range: `bytes=${first}-${last}` }), status: 206 };
}

/** A request with a JSON body. */
export function send(method: 'POST' | 'PATCH', path: string, value: unknown, status: number): Work {
  const headers = { ...keyHeaders, 'content-type': 'application/json' };
  return { method, path, headers, body: JSON.stringify(value), status };
}

/** One connection that is kept open, for one request after another. */
export function connection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/** Sends a request. @throws Error where no whole response comes, or one of another status */
export async function fetchWork(origin: string, work: Work, agent?: Agent): Promise<Response> {
  const response = await exchange(origin, work, agent);
  if (response.status === work.status) return response;
  const body = response.body.toString('utf8', 0, 200);
  throw new Error(
    `${work.method} ${origin}${work.path}: expected ${work.status}, got ${response.status} ${body}`,
  );
}

/** As {@link fetchWork}; the body as JSON. */
export async function fetchJson<Body>(origin: string, work: Work): Promise<Body> {
  return JSON.parse((await fetchWork(origin, work)).body.toString());
}

/** Milliseconds that something takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await action();
  return performance.now() - before;
}

// fetch takes several times as long as node:http, and that would be measured too.
function exchange(origin: string, work: Work, agent?: Agent): Promise<Response> {
  const { method, path, headers, body } = work;
  return new Promise((resolve, reject) => {
    const sent = request(origin + path, { method, headers, agent: agent ?? false });
    sent.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, body: Buffer.concat(chunks) });
        });
    });
    sent.end(body);
  });
}
