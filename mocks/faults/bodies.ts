import type { NamedBehaviour } from '../../interface/dialect/behaviours.ts';
import { isText, jsonResponse, type PlainResponse, plainResponse } from '../messages/response.ts';

/** No response. It becomes `Response.error()`, which each adapter turns into a broken connection. */
export const brokenConnection: PlainResponse = { status: 0, headers: {}, body: null };

/** The clock of a world, on which a fault makes a request wait. */
export interface FaultClock {
  readonly now: () => number;
  /** Resolves when the clock reaches a moment, or when `signal` aborts. */
  readonly waitUntil: (moment: number, signal: AbortSignal) => Promise<void>;
}

/** Statuses whose responses never have a body (RFC 9110). */
const bodiless: readonly number[] = [204, 205, 304];

/** A response whose body is JSON, unless it is a text or absent. */
export function respondWith(
  status: number,
  body: unknown,
  headers: PlainResponse['headers'] = {},
): PlainResponse {
  if (body === undefined || bodiless.includes(status)) return plainResponse(status, null, headers);
  if (typeof body !== 'string') return jsonResponse(status, body, headers);
  return plainResponse(status, [body], { 'content-type': 'text/plain; charset=utf-8', ...headers });
}

/** Cuts JSON in half and appends text that makes it invalid. */
export function spoilJson(response: PlainResponse): PlainResponse {
  if (!isText(response.body)) return response;
  const text = response.body.join('');
  return { ...response, body: [text.slice(0, Math.ceil(text.length / 2)), ',}'] };
}

/**
 * Replaces fields of the record, or of each record in a list, which may be within an object of the dialect. Refusals
 * stay as they are.
 */
export async function patchRecords(
  whole: PlainResponse,
  fields: Readonly<Record<string, unknown>>,
  envelope: NamedBehaviour<'response.wrapped'>,
): Promise<PlainResponse> {
  if (whole.status < 200 || whole.status > 299) return whole;
  const patch = (result: unknown): unknown =>
    Array.isArray(result)
      ? result.map((record) => ({ ...record, ...fields }))
      : { ...(result as object), ...fields };
  const body = JSON.parse(await readText(whole));
  const [key] = Object.entries(envelope ?? {}).find(([, value]) => value === '{result}') ?? [];
  const patched = key === undefined ? patch(body) : { ...body, [key]: patch(body[key]) };
  return { ...whole, body: [JSON.stringify(patched)] };
}

/** Removes the end tag of a media playlist, so that players expect more segments. */
export async function removeEnd(response: PlainResponse): Promise<PlainResponse> {
  if (response.status !== 200) return response;
  const text = await readText(response);
  const bytes = new TextEncoder().encode(text.replace('#EXT-X-ENDLIST\n', ''));
  return replaceBody(response, bytes, bytes.length);
}

function readText({ body }: PlainResponse): Promise<string> {
  return new Response(isText(body) ? body.join('') : body).text();
}

/** Sends the first half of the body, then an error. If the body is empty, the connection breaks. */
export function breakOff(response: PlainResponse): PlainResponse {
  const { reader, length } = openBody(response);
  if (length === 0) return brokenConnection;
  let remaining = Math.ceil(length / 2);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = remaining > 0 ? await reader.read() : {};
        if (value === undefined) {
          controller.error(new TypeError('The body was cut off by a fault.'));
          return reader.cancel();
        }
        controller.enqueue(value.subarray(0, remaining));
        remaining -= value.length;
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
  return { ...replaceBody(response, body, length), breaksOff: true };
}

/** Sends the body at `bytesPerSecond` by the world's clock, in pieces that take at most a tenth of a second each. */
export function slowDown(
  response: PlainResponse,
  bytesPerSecond: number,
  clock: FaultClock,
): PlainResponse {
  const { reader, length } = openBody(response);
  if (length === 0) return response;
  const pieceLength = Math.max(1, Math.floor(bytesPerSecond / 10));
  const cancellation = new AbortController();
  let unsent: Uint8Array = new Uint8Array(0);
  let dueAt = clock.now();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (unsent.length === 0) unsent = (await reader.read()).value ?? unsent;
        if (unsent.length === 0) return controller.close();
        const piece = unsent.subarray(0, pieceLength);
        unsent = unsent.subarray(pieceLength);
        // The clock may have been set back.
        dueAt = Math.min(dueAt, clock.now()) + (piece.length * 1000) / bytesPerSecond;
        await clock.waitUntil(dueAt, cancellation.signal);
        if (!cancellation.signal.aborted) controller.enqueue(piece);
      },
      cancel() {
        cancellation.abort();
        return reader.cancel();
      },
    },
    { highWaterMark: 0 },
  );
  return replaceBody(response, body, length);
}

/** Opens a body for reading in pieces, because hours of media would not fit into memory. */
function openBody({ body, headers }: PlainResponse) {
  const content = isText(body) ? new TextEncoder().encode(body.join('')) : body;
  const length =
    content instanceof Uint8Array ? content.length : Number(headers['content-length'] ?? 0);
  const stream = new Response(content).body ?? new ReadableStream<Uint8Array>();
  return { reader: stream.getReader(), length };
}

/** The same response with another body of `length` bytes. */
function replaceBody(
  response: PlainResponse,
  body: PlainResponse['body'],
  length: number,
): PlainResponse {
  return { ...response, headers: { ...response.headers, 'content-length': String(length) }, body };
}
