import { concatenate } from '../media/bytes.ts';
import { isText, type PlainResponse } from '../messages/response.ts';
import type { AdjustableClock } from '../state/clock.ts';

/** No answer at all: what `Response.error()` says, and each door carries out as it can. */
export const brokenConnection: PlainResponse = { status: 0, headers: {}, body: null };

/** The first half, and then an error where the rest should be; of no body, nothing at all. */
export function breakOff(whole: PlainResponse): PlainResponse {
  const { read, cancel, length } = openBody(whole);
  if (length === 0) return brokenConnection;
  const half = Math.ceil(length / 2);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = sent < half ? await read() : undefined;
        if (piece === undefined) {
          controller.error(new TypeError('The body breaks off, as a fault has it.'));
          return cancel();
        }
        const part = piece.subarray(0, half - sent);
        sent += part.length;
        controller.enqueue(part);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { ...withBody(whole, body, length), breaksOff: true };
}

/** JSON that ends in its midst. */
export function spoilJson(whole: PlainResponse): PlainResponse {
  if (!isText(whole.body)) return whole;
  const text = whole.body.join('');
  return { ...whole, body: [text.slice(0, Math.ceil(text.length / 2)), ',}'] };
}

/** Milliseconds that are at least between two pieces of a body that trickles. */
const tick = 100;

/** The same bytes, so many in a second of the clock. */
export function slowDown(
  whole: PlainResponse,
  bytesPerSecond: number,
  clock: AdjustableClock,
): PlainResponse {
  const { read, cancel, length } = openBody(whole);
  if (length === 0) return whole;
  const gone = new AbortController();
  const pause = Math.max(tick, Math.ceil(1000 / bytesPerSecond));
  let looked = clock.now();
  let allowed = 0;
  const waitForMore = async (): Promise<void> => {
    // Time that passes no more would allow no more.
    if (clock.hasEnded()) allowed = Number.POSITIVE_INFINITY;
    looked = Math.min(looked, clock.now()); // it may have been put back
    await clock.waitUntil(looked + pause, gone.signal);
    const now = clock.now();
    allowed += (Math.max(0, now - looked) * bytesPerSecond) / 1000;
    looked = now;
  };
  let rest: Uint8Array = new Uint8Array(0);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (rest.length === 0) rest = (await read()) ?? rest;
        if (rest.length === 0) return controller.close();
        while (allowed < 1 && !gone.signal.aborted) await waitForMore();
        if (gone.signal.aborted) return;
        const part = rest.subarray(0, Math.floor(allowed));
        rest = rest.subarray(part.length);
        allowed -= part.length;
        controller.enqueue(part);
      },
      cancel() {
        gone.abort();
        return cancel();
      },
    },
    { highWaterMark: 0 },
  );
  return withBody(whole, body, length);
}

const endTag = '#EXT-X-ENDLIST\n';

/** A media playlist that promises more to come. */
export async function withoutEnd(whole: PlainResponse): Promise<PlainResponse> {
  if (whole.status !== 200) return whole;
  const { read } = openBody(whole);
  const pieces: Uint8Array[] = [];
  for (let piece = await read(); piece !== undefined; piece = await read()) pieces.push(piece);
  const text = new TextDecoder().decode(concatenate(pieces)).replace(endTag, '');
  const { etag: _, ...headers } = whole.headers;
  return withBody({ ...whole, headers }, new TextEncoder().encode(text));
}

function withBody(
  whole: PlainResponse,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  length = body instanceof Uint8Array ? body.length : 0,
): PlainResponse {
  return { ...whole, headers: { ...whole.headers, 'content-length': String(length) }, body };
}

interface OpenBody {
  /** The next piece; `undefined` after the last. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Lets go of what is not read. */
  readonly cancel: () => Promise<void>;
  readonly length: number;
}

/** A body, whatever it is, piece by piece: media of hours is never in memory as a whole. */
function openBody({ body, headers }: PlainResponse): OpenBody {
  if (body instanceof ReadableStream) {
    const reader = body.getReader();
    const read = async () => (await reader.read()).value;
    const cancel = () => reader.cancel();
    return { read, cancel, length: Number(headers['content-length'] ?? 0) };
  }
  const bytes = isText(body) ? new TextEncoder().encode(body.join('')) : body;
  const pieces = bytes === null || bytes.length === 0 ? [] : [bytes];
  return { read: async () => pieces.shift(), cancel: async () => {}, length: bytes?.length ?? 0 };
}
