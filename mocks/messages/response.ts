import { exposedHeaders, jsonType } from '../../interface/default-responses.ts';
import type { Problem } from './problem.ts';

/** Bytes that no other thread shares, as a `Response` takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A response before it is sent. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is in pieces, so that a piece that many responses share is in memory only once. */
  readonly body: readonly string[] | Bytes | ReadableStream<Uint8Array> | null;
  /** Whether the body is cut off on purpose. */
  readonly breaksOff?: true;
}

/**
 * The headers with which pages of any origin may read a response, unless they send credentials such as cookies: those of
 * the control API, and of refusals that come before a dialect.
 */
export const openHeaders: PlainResponse['headers'] = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
};

/** A response that pages of any origin may read, unless they send credentials. */
export function openToPages(response: PlainResponse): PlainResponse {
  return { ...response, headers: { ...openHeaders, ...response.headers } };
}

export function plainResponse(
  status: number,
  body: PlainResponse['body'],
  headers: PlainResponse['headers'] = {},
): PlainResponse {
  return { status, headers, body };
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers?: PlainResponse['headers'],
): PlainResponse {
  return jsonTextResponse(status, [JSON.stringify(value)], headers);
}

const jsonHeaders = { 'content-type': jsonType } as const;

export function jsonTextResponse(
  status: number,
  text: readonly string[],
  headers?: PlainResponse['headers'],
): PlainResponse {
  return { status, headers: { ...jsonHeaders, ...headers }, body: text };
}

/** The response to a refused request: `{"errors": […]}`. */
export function problemResponse({ status, texts, issues }: Problem): PlainResponse {
  return jsonResponse(status, { errors: texts }, issues[0]?.headers);
}

/** The response to a HEAD request. A body that is a stream is cancelled. */
export function withoutBody(response: PlainResponse): PlainResponse {
  if (response.body instanceof ReadableStream) void response.body.cancel();
  return { ...response, body: null };
}

export function isText(body: PlainResponse['body']): body is readonly string[] {
  return Array.isArray(body);
}

/** The `Response` that is sent. Status 0 stands for a broken connection, which is `Response.error()`. */
export function toResponse({ status, headers, body, breaksOff }: PlainResponse): Response {
  if (status === 0) return Response.error();
  const response = new Response(isText(body) ? body.join('') : body, { status, headers });
  if (breaksOff) brokenOffResponses.add(response);
  return response;
}

/** Responses whose body is cut off on purpose. Adapters need to know them. */
const brokenOffResponses = new WeakSet<Response>();

/** Whether the body of a response is cut off on purpose. */
export function bodyBreaksOff(response: Response): boolean {
  return brokenOffResponses.has(response);
}
