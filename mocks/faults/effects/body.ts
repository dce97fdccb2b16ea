import {
  isText,
  jsonResponse,
  type PlainResponse,
  plainResponse,
} from '../../messages/response.ts';

/** A response whose body is read piece by piece: media of hours is never in memory as a whole. */
interface OpenBody {
  /** The next piece; `undefined` after the last. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Releases what has not been read. */
  readonly cancel: () => Promise<void>;
  /** Bytes of the whole body. */
  readonly length: number;
}

/** Opens the body of a response, whatever it is made of. */
export function openBody({ body, headers }: PlainResponse): OpenBody {
  if (body instanceof ReadableStream) {
    const reader = body.getReader();
    return {
      read: async () => (await reader.read()).value,
      cancel: () => reader.cancel(),
      length: Number(headers['content-length'] ?? 0),
    };
  }
  const bytes = isText(body) ? new TextEncoder().encode(body.join('')) : body;
  const pieces = bytes === null || bytes.length === 0 ? [] : [bytes];
  return { read: async () => pieces.shift(), cancel: async () => {}, length: bytes?.length ?? 0 };
}

/** The same response with another body, which is said to have `length` bytes. */
export function replaceBody(
  response: PlainResponse,
  body: PlainResponse['body'],
  length: number,
): PlainResponse {
  return { ...response, headers: { ...response.headers, 'content-length': String(length) }, body };
}

/** Statuses whose responses never have a body (RFC 9110). */
const bodiless: readonly number[] = [204, 205, 304];

/** A response with a body that is JSON, unless it is a text or absent. */
export function respondWith(
  status: number,
  body: unknown,
  headers: PlainResponse['headers'] = {},
): PlainResponse {
  if (body === undefined || bodiless.includes(status)) return plainResponse(status, null, headers);
  if (typeof body !== 'string') return jsonResponse(status, body, headers);
  return plainResponse(status, [body], { 'content-type': 'text/plain; charset=utf-8', ...headers });
}
