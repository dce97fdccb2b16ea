import { isObject, type Json } from '../../interface/json.ts';
import type { Session, Stream } from '../../interface/types.ts';
import {
  clientRequestOf,
  deriveRequest,
  type Fetch,
  type Rewrite,
} from '../messages/client-request.ts';
import { bodyBreaksOff } from '../messages/response.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The method and path of what can be changed, with any prefix. The first group is an id. HEAD has the routes of GET. */
const routes = {
  operation: '(?!OPTIONS )[A-Z]+ (?!/(?:recordings|hls)/).*',
  create: 'POST .*/stream',
  record: 'PATCH .*/stream/([^/]+)/record',
  list: 'GET .*/stream/([^/]+)/sessions',
  retrieve: 'GET .*/stream/([^/]+)',
  update: 'PATCH .*/stream/([^/]+)',
  replace: 'PUT .*/stream/([^/]+)',
  'optional read': 'GET .*/(?:stream|session|playback)(?:/[^/]+)?',
  start: 'POST .*/_mock/streams/([^/]+)/start',
  'start or stop': 'POST .*/_mock/streams/([^/]+)/st(?:art|op)',
  media: 'GET .*/recordings/([^/]+)/.*',
  'any playlist': 'GET .*/recordings/([^/]+)/.*\\.m3u8',
  playlist: 'GET .*/recordings/([^/]+)/index\\.m3u8',
  rendition: 'GET .*/recordings/([^/]+)/[^/]+/index\\.m3u8',
  initialization: 'GET .*/recordings/([^/]+)/.+/init\\.mp4',
  segment: 'GET .*/recordings/([^/]+)/.+\\.m4s',
  mp4: 'GET .*/recordings/([^/]+)/source\\.mp4',
} as const;

/** An operation of the mock, or a kind of its media. */
export type Route = keyof typeof routes;

/** One request on its way to the mock. Its body has been read. */
export type Step = Awaited<ReturnType<typeof readStep>>;

type Changed = Response | undefined;

/** Handles the requests of one route; `undefined` leaves the mock's response as it is. */
export function on(route: Route, handle: (step: Step) => Changed | Promise<Changed>): Rewrite {
  const pattern = new RegExp(`^${routes[route]}$`);
  return (next) => async (request) => {
    // The mock itself sends a body in response to HEAD, which is removed after every change.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const match = pattern.exec(`${method} ${new URL(request.url).pathname}`);
    if (match === null) return next(request);
    const step = await readStep(request, match[1] ?? '', next);
    return (await handle(step)) ?? step.respond();
  };
}

/** Reads the whole body: if part of a copy remained unread, the connection could not continue. */
async function readStep(request: Request, id: string, next: Fetch) {
  const { url, method, headers } = request;
  const bytes = request.body && (await request.arrayBuffer());
  const text = new TextDecoder().decode(bytes ?? undefined);
  const json = parse(text);
  let response: Promise<Response> | undefined;
  const ask = (
    verb: string,
    at: string,
    content?: unknown,
    moreHeaders: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const requestHeaders = new Headers({ ...Object.fromEntries(headers), ...moreHeaders });
    requestHeaders.delete('content-length');
    const type = requestHeaders.get('content-type') ?? 'application/json';
    if (content !== undefined) requestHeaders.set('content-type', type);
    const body = content === undefined ? null : JSON.stringify(content);
    const init = { method: verb, headers: requestHeaders, body };
    return next(deriveRequest(request, new URL(at, url), init));
  };
  return {
    request,
    /** The id in its path, or an empty string. */
    id,
    /** Its body as text; empty if it has none. */
    text,
    /** Its body as JSON; `undefined` for any other body. */
    json,
    /** Its body, if it is a JSON object; otherwise an empty object. */
    body: typeof json === 'object' && json !== null ? (json as JsonObject) : {},
    /** What the clock of its world shows, in milliseconds since 1970; that of the mock until its world is known. */
    now: () => clientRequestOf(request)?.now() ?? 0,
    /** Lets real milliseconds pass, if the clock of the mock runs. */
    wait: async (milliseconds: number) => clientRequestOf(request)?.wait(milliseconds),
    /** Resolves to the mock's own response, for which it is asked only once. */
    respond(): Promise<Response> {
      response ??= next(deriveRequest(request, url, { method, headers, body: bytes }));
      return response;
    },
    /** Sends another request to a relative address, with the same headers except for the given ones. */
    ask,
    /** Resolves to the JSON at a relative address; `undefined` if that is refused. */
    async read<Value>(at: string): Promise<Value | undefined> {
      const response = await ask('GET', at);
      return response.ok ? response.json() : undefined;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Several changes, of which the last is nearest to the client. */
export function together(...rewrites: readonly Rewrite[]): Rewrite {
  return (next) => rewrites.reduce((inner, rewrite) => rewrite(inner), next);
}

/** Changes the responses of one route. */
export function rewriteResponse(
  route: Route,
  change: (response: Response, step: Step) => Changed | Promise<Changed>,
): Rewrite {
  return on(route, async (step) => {
    const response = await step.respond();
    // Nothing is left to change if a fault broke the connection or cuts off the body.
    if (response.status === 0 || bodyBreaksOff(response)) return undefined;
    return change(response.clone(), step);
  });
}

/** Changes the JSON of successful responses. */
export function rewriteJson<Value = unknown>(
  route: Route,
  change: (value: Value, step: Step) => unknown,
): Rewrite {
  return rewriteResponse(route, async (response, step) => {
    if (!response.ok || !response.headers.get('content-type')?.includes('json')) return undefined;
    const value = parse(await response.text());
    // A fault can make a body that is no JSON.
    if (value === undefined) return undefined;
    return withOtherBody(response, JSON.stringify(await change(value as Value, step)));
  });
}

/** A stream, a session, or any other object in a response. */
type View = Readonly<Record<string, Json>>;

/** Changes every object in the JSON of every successful response, inner ones first. */
export function rewriteObjects(change: (view: View, step: Step) => View): Rewrite {
  return rewriteJson<Json>('operation', (json, step) =>
    changeObjects(json, (view) => change(view, step)),
  );
}

/** Changes every object in a value, inner ones first. */
function changeObjects(value: Json, change: (view: View) => View): Json {
  if (Array.isArray(value)) return value.map((element) => changeObjects(element, change));
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([key, inner]) => [key, changeObjects(inner, change)]);
  return change(Object.fromEntries(changed));
}

/** Changes a field of created streams; one that becomes `undefined` is removed. */
export function rewriteStreams<Name extends keyof Stream>(
  name: Name,
  change: (value: Stream[Name], stream: Stream) => unknown,
): Rewrite {
  return rewriteJson<Stream>('create', (stream) => {
    return { ...stream, [name]: change(stream[name], stream) };
  });
}

/** Changes the list of a stream's sessions. */
export function rewriteList(change: (sessions: Session[], step: Step) => unknown): Rewrite {
  return rewriteJson<Session[]>('list', change);
}

/** Changes a field of listed sessions; one that becomes `undefined` is removed. */
export function rewriteSessions<Name extends keyof Session>(
  name: Name,
  change: (value: Session[Name], session: Session) => unknown,
): Rewrite {
  return rewriteList((sessions) =>
    sessions.map((session) => ({ ...session, [name]: change(session[name], session) })),
  );
}

/** Changes a field of listed sessions whose recording is ready. */
export function rewriteReady<Name extends keyof Session>(
  name: Name,
  change: (value: Required<Session>[Name]) => unknown,
): Rewrite {
  return rewriteSessions(name, (value, { recordingStatus }) =>
    recordingStatus === 'ready' ? change(value as Required<Session>[Name]) : value,
  );
}

/** A response with the same headers, and another text. */
export async function changeText(
  response: Response,
  change: (text: string) => string | Promise<string>,
): Promise<Response> {
  return withOtherBody(response, await change(await response.text()));
}

/** Changes the text of playlists. */
export function rewritePlaylists(route: Route, change: (text: string) => string): Rewrite {
  return rewriteResponse(route, async (response) =>
    response.ok ? changeText(response, change) : undefined,
  );
}

/** The stream that has the id in the request in another field. */
export async function findStreamBy(
  field: 'playbackId' | 'streamKey',
  { id, read }: Step,
): Promise<Stream | undefined> {
  const streams = await read<Stream[]>('../../stream?limit=1000');
  return streams?.find((stream) => stream[field] === id);
}

/** Whether a playlist lists renditions instead of segments. */
export function isMultivariant(playlist: string): boolean {
  return playlist.includes('#EXT-X-STREAM-INF');
}

/** Sends successful responses with another status or content type. */
export function sendAs(route: Route, head: Head): Rewrite {
  return rewriteResponse(route, (response) =>
    response.ok ? withOtherBody(response, response.body, head) : undefined,
  );
}

/** Status and content type of a response. */
interface Head {
  readonly status?: number;
  readonly type?: string;
}

/** A response with the same headers, and another body, status or content type. */
function withOtherBody(
  response: Response,
  body: string | ReadableStream | null,
  { status = response.status, type }: Head = {},
): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  if (type !== undefined) headers.set('content-type', type);
  return new Response(body, { status, headers });
}

/** A refusal, as the mock itself words it. */
export function refuse(status: number, text: string): Response {
  return Response.json({ errors: [text] }, { status });
}

/** A response without a body. */
export function emptyResponse(status: number, headers: HeadersInit = {}): Response {
  return new Response(null, { status, headers });
}

/** A media file. */
export function fileResponse(body: BodyInit, type: string): Response {
  return new Response(body, { headers: { 'content-type': type } });
}
