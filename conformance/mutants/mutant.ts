/** Answers a request, as `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>;

/** A mock with one rule broken, the way a real service might break it. */
export interface Mutant {
  /** What is wrong with it, in a sentence. */
  readonly description: string;
  /** Breaks a mock, with state of its own. It calls `applied` whenever it changes something. */
  readonly make: (next: Fetch, applied: () => void) => Fetch;
}

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** An operation of the mock, or a kind of its media. */
export type OperationName =
  | 'create'
  | 'record'
  | 'list'
  | 'retrieve'
  | 'write'
  | 'replace'
  | 'start'
  | 'playlist'
  | 'rendition'
  | 'initialization'
  | 'segment'
  | 'mp4';

/** Method and end of the path of each, below any prefix. */
const operations: Readonly<Record<OperationName, readonly [method: string, path: RegExp]>> = {
  create: ['POST', /\/stream$/],
  record: ['PATCH', /\/stream\/([^/]+)\/record$/],
  list: ['GET', /\/stream\/([^/]+)\/sessions$/],
  retrieve: ['GET', /\/stream\/([^/]+)$/],
  write: ['PATCH', /\/stream\/([^/]+)$/],
  replace: ['PUT', /\/stream\/([^/]+)$/],
  start: ['POST', /\/_mock\/streams\/([^/]+)\/start$/],
  playlist: ['GET', /\/recordings\/([^/]+)\/index\.m3u8$/],
  rendition: ['GET', /\/recordings\/([^/]+)\/[^/]+\/index\.m3u8$/],
  initialization: ['GET', /\/recordings\/([^/]+)\/.+\/init\.mp4$/],
  segment: ['GET', /\/recordings\/([^/]+)\/.+\.m4s$/],
  mp4: ['GET', /\/recordings\/([^/]+)\/source\.mp4$/],
};

/** One request on its way to the mock. */
export interface Step {
  readonly request: Request;
  /** The id in its path, or an empty string. */
  readonly id: string;
  readonly next: Fetch;
  readonly applied: () => void;
}

/** Handles the requests of one operation. `begin` is called once for every mutant made. */
export function onOperation(
  name: OperationName,
  begin: () => (step: Step) => Promise<Response>,
): Mutant['make'] {
  const [method, path] = operations[name];
  return (next, applied) => {
    const handle = begin();
    return (request) => {
      const match = request.method === method && path.exec(new URL(request.url).pathname);
      return match ? handle({ request, id: match[1] ?? '', next, applied }) : next(request);
    };
  };
}

/** Changes the responses of an operation; `undefined` leaves a response as it is. */
export function rewriteResponse(
  name: OperationName,
  change: (response: Response, step: Step) => Response | undefined | Promise<Response | undefined>,
): Mutant['make'] {
  return onOperation(name, () => async (step) => {
    // A copy, so that `change` can still read the request's body.
    const response = await step.next(step.request.clone());
    const changed = await change(response, step);
    if (changed !== undefined) step.applied();
    return changed ?? response;
  });
}

/** Changes the JSON of successful responses; `undefined` leaves a response as it is. */
export function rewriteJson(
  name: OperationName,
  begin: () => (value: unknown) => unknown,
): Mutant['make'] {
  return (next, applied) => {
    const change = begin();
    const make = rewriteResponse(name, async (response) => {
      if (!response.ok) return undefined;
      const changed = change(await response.clone().json());
      return changed === undefined ? undefined : withJson(response, changed);
    });
    return make(next, applied);
  };
}

/** Changes fields of a created stream; `undefined` removes a field. */
export function rewriteStream(change: (stream: JsonObject) => JsonObject): Mutant['make'] {
  return rewriteJson('create', () => (stream) => ({
    ...(stream as JsonObject),
    ...change(stream as JsonObject),
  }));
}

/** Changes fields of every listed session; `undefined` leaves a session as it is. */
export function rewriteSessions(
  change: (session: JsonObject) => JsonObject | undefined,
): Mutant['make'] {
  return rewriteJson('list', () => (sessions) => {
    const changes = (sessions as JsonObject[]).map(change);
    if (changes.every((fields) => fields === undefined)) return undefined;
    return (sessions as JsonObject[]).map((session, index) => ({ ...session, ...changes[index] }));
  });
}

/** Changes the JSON body of requests before the mock sees it; `undefined` leaves it as it is. */
export function rewriteBody(
  name: OperationName,
  change: (body: JsonObject) => JsonObject | undefined,
): Mutant['make'] {
  return onOperation(name, () => async ({ request, next, applied }) => {
    const changed = change(await readBody(request));
    if (changed === undefined) return next(request);
    applied();
    return next(withBody(request, changed));
  });
}

/** The JSON object in a request's body; an empty one if there is none. */
export async function readBody(request: Request): Promise<JsonObject> {
  try {
    const value: unknown = await request.clone().json();
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

/** A request to the same address with the same headers, and another body, or one if it had none. */
export function withBody(request: Request, value: unknown): Request {
  const { url, method, body } = request;
  const headers = new Headers(request.headers);
  if (body === null) headers.set('content-type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(value) });
}

/** A request with the same headers to another address, `at`, relative to the request's own. */
export function ask(request: Request, method: string, at: string, body?: unknown): Request {
  return new Request(new URL(at, request.url), {
    method,
    headers: request.headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** A response with the same status and headers, and another body. */
export function withJson(response: Response, value: unknown): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(value), { status: response.status, headers });
}

/** A refusal, as the mock itself words it. */
export function refuse(status: number, text: string): Response {
  return Response.json({ errors: [text] }, { status });
}

/** A media file. */
export function file(
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  status: number = 200,
): Response {
  return new Response(body, { status, headers: { 'content-type': type } });
}
