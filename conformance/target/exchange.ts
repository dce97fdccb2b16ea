import { toCurl } from '../../curl.ts';
import type { Exchange } from '../model/report.ts';
import { rememberExchanges } from './evidence.ts';
import { CheckFailure, NoResponse } from './failure.ts';

/** How requests are sent: `fetch`, or a stand-in for it in tests. */
export type Send = (request: Request) => Promise<Response>;

/** The bounds of one request, and where it is noted. */
export interface Bounds {
  /** Milliseconds within which the response must be complete. */
  readonly timeout: number;
  /** Bytes that a response may have, after decompression. */
  readonly limit: number;
  readonly note: (exchange: Exchange) => void;
  /** Whether the request goes to another origin than the target's: its response is not shown. */
  readonly foreign?: boolean;
  /** How messages name the address, if it must not be shown. */
  readonly shown?: string;
  /**
   * Takes the body of a success chunk by chunk, and must not throw. The response then has only the
   * first kilobytes.
   */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/** A complete response. */
export interface TargetResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
  readonly url: string;
  /** How messages name the address: one that another origin gave is not shown. */
  readonly shown: string;
  /** Whether it came from another origin than the target's: its content is not shown. */
  readonly foreign: boolean;
}

/** Characters of a body that are noted: more than a report shows, as keys are replaced before it is cut. */
const bodyNoted = 4_000;
const firstBuffer = 16 * 1024;

/**
 * Sends a request and reads the whole response. Whatever the target does, it ends in time.
 * @throws NoResponse if no response begins, or one exceeds the suite's bounds (the interface sets
 *   none); CheckFailure if one begins and breaks off
 */
export async function exchange(
  send: Send,
  url: string | URL,
  init: RequestInit & { readonly body?: string | Uint8Array<ArrayBuffer> },
  bounds: Bounds,
): Promise<TargetResponse> {
  const start = performance.now();
  const deadline = new AbortController();
  const { signal } = deadline;
  const request = new Request(url, { ...init, signal });
  const timer = setTimeout(() => deadline.abort(), bounds.timeout);
  const { foreign = false, shown = request.url } = bounds;
  const note = (more: Partial<Exchange>): Exchange => {
    const duration = Math.round(performance.now() - start);
    const noted = { curl: describeRequest(request, init.body, shown), ...more, duration };
    bounds.note(noted);
    return noted;
  };
  let begun: Pick<Exchange, 'status' | 'headers'> | undefined;
  try {
    const response = await within(signal, send(request));
    const { status, headers } = response;
    const all = Object.fromEntries(headers);
    begun = { status, headers: foreign ? describeBody(all) : all };
    const bytes = await within(signal, readBody(response, bounds, signal));
    const text = new TextDecoder().decode(bytes.subarray(0, 4 * bodyNoted));
    const noted = note({ ...begun, ...(!foreign && { body: text.slice(0, bodyNoted) }) });
    const read = {
      ...{ status, headers, bytes, url: request.url, shown, foreign },
      get text() {
        return new TextDecoder().decode(bytes);
      },
    };
    return rememberExchanges(read, [noted]);
  } catch (error) {
    const timedOut = signal.aborted;
    // What is left of the response is not read.
    deadline.abort();
    const failure = explain(error, timedOut, bounds);
    const noted = note({ ...begun, failure });
    const where = `${request.method} ${shown}`;
    if (begun !== undefined && !timedOut && !(error instanceof TooLarge)) {
      throw new CheckFailure(
        `${where}: expected a complete response, but after status ${begun.status} ${failure}`,
        [noted],
      );
    }
    const code = timedOut ? 'TIMEOUT' : codeOf(error);
    throw new NoResponse(
      `${where}: expected a response, but ${failure}`,
      begun === undefined ? code : undefined,
    );
  } finally {
    clearTimeout(timer);
  }
}

function describeRequest(
  { method, url, headers }: Request,
  body: string | Uint8Array | undefined,
  shown: string,
): string {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  return shown === url
    ? toCurl({ method, url: new URL(url), headers, body: text })
    : `# ${method} ${shown}`;
}

/** What a report may show of another origin's response, beside its status. */
function describeBody(headers: Record<string, string>): Record<string, string> {
  const { 'content-type': type = '', 'content-length': length = '' } = headers;
  return {
    ...(/^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=;|$)/.test(type) && {
      'content-type': type.split(';')[0] ?? '',
    }),
    ...(/^\d+$/.test(length) && { 'content-length': length }),
  };
}

/** A response of more bytes than the suite reads. */
class TooLarge extends Error {}

/** Chunks are copied into one buffer at once: a target may send a byte at a time. */
async function readBody(
  response: Response,
  { limit, onChunk }: Bounds,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array(0);
  const reader = response.body.getReader();
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  const most = onChunk === undefined ? limit : firstBuffer;
  let buffer = new Uint8Array(firstBuffer);
  let kept = 0;
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return buffer.subarray(0, kept);
    length += value.length;
    if (length > limit) throw new TooLarge(`it had more than ${limit} bytes`);
    if (response.ok) onChunk?.(value);
    const part = value.subarray(0, most - kept);
    if (kept + part.length > buffer.length) {
      const larger = new Uint8Array(Math.min(most, 2 * (kept + part.length)));
      larger.set(buffer);
      buffer = larger;
    }
    buffer.set(part, kept);
    kept += part.length;
  }
}

/** A stand-in for `fetch` may ignore the signal, so the wait observes it. */
function within<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);
}

function explain(error: unknown, timedOut: boolean, { timeout, foreign }: Bounds): string {
  if (timedOut) return `it was not complete within ${timeout} ms`;
  if (!(error instanceof Error)) return 'the connection failed';
  const code = codeOf(error);
  // The message of a certificate error quotes names that the other host chose.
  const message = foreign && !(error instanceof TooLarge) ? '' : causeOf(error).message;
  return `${message || 'the connection failed'}${code === 'UNKNOWN' ? '' : ` (${code})`}`;
}

/** `fetch` wraps the error of a connection in one of its own. */
function causeOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? causeOf(error) : {};
  return 'code' in cause ? String(cause.code) : 'UNKNOWN';
}
