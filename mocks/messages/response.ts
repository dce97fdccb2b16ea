import type { Problem } from '../problems/problem.ts';
import { nextTurn } from '../state/next-turn.ts';

/** An answer before it is sent. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text comes in pieces, so that what is the same in many answers is in memory once. */
  readonly body: readonly string[] | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Whether the body breaks off on purpose. */
  readonly breaksOff?: true;
}

/** Any page may read what the mock answers; credentials travel in a header, never in a cookie. */
const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'accept-ranges, content-length, content-range, etag, link, retry-after',
} as const;

/** An answer that pages of any origin may read. */
export function plainResponse(
  status: number,
  body: PlainResponse['body'],
  headers: PlainResponse['headers'] = {},
): PlainResponse {
  return { status, headers: { ...openHeaders, ...headers }, body };
}

/** A JSON answer. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers?: PlainResponse['headers'],
): PlainResponse {
  return jsonTextResponse(status, [JSON.stringify(value)], headers);
}

const jsonHeaders = {
  ...openHeaders,
  'content-type': 'application/json; charset=utf-8',
} as const;

/** An answer whose JSON is written already, in pieces. */
export function jsonTextResponse(
  status: number,
  text: readonly string[],
  headers?: PlainResponse['headers'],
): PlainResponse {
  return {
    status,
    headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
    body: text,
  };
}

/**
 * An answer whose JSON is written while it is sent, each piece in a turn of its own. One piece alone is
 * sent as any answer, with its length.
 */
export function streamedJsonResponse(
  status: number,
  pieces: Iterator<string, undefined>,
): PlainResponse {
  const first = pieces.next().value ?? '';
  let next = pieces.next();
  if (next.done) return jsonTextResponse(status, [first]);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(first));
      },
      async pull(controller) {
        await nextTurn();
        if (next.done) return controller.close();
        controller.enqueue(encoder.encode(next.value));
        next = pieces.next();
      },
    },
    { highWaterMark: 0 },
  );
  return { status, headers: jsonHeaders, body };
}

/** The answer to a refused request: `{"errors": […]}`. */
export function problemResponse(
  { status, texts }: Problem,
  headers?: PlainResponse['headers'],
): PlainResponse {
  return jsonResponse(status, { errors: texts }, headers);
}

/** The answer to a preflight, which asks for leave to send a request from another origin. */
export function preflightResponse(request: Request): PlainResponse {
  return plainResponse(204, null, {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      request.headers.get('access-control-request-headers') ?? 'authorization, content-type',
    'access-control-max-age': '600',
  });
}

/** The answer to a HEAD: nobody reads the body, so what it holds on to is let go of. */
export function withoutBody(answer: PlainResponse): PlainResponse {
  if (answer.body instanceof ReadableStream) void answer.body.cancel();
  return { ...answer, body: null };
}

/** Tells text from other bodies. */
export function isText(body: PlainResponse['body']): body is readonly string[] {
  return Array.isArray(body);
}

/** The answer as it is sent; a broken connection is an error, which has the status 0. */
export function toResponse({ status, headers, body, breaksOff }: PlainResponse): Response {
  if (status === 0) return Response.error();
  const response = new Response(isText(body) ? body.join('') : body, { status, headers });
  if (breaksOff) brokenOff.add(response);
  return response;
}

/** What a `Response` does not say of itself, and a door has to know. */
const brokenOff = new WeakSet<Response>();

/** Whether the body of an answer breaks off on purpose. */
export function bodyBreaksOff(response: Response): boolean {
  return brokenOff.has(response);
}
