import { toCurl } from '../../curl.ts';
import type { Exchange } from '../model/report.ts';
import { rememberExchanges } from './evidence.ts';
import { CheckFailure, NoResponse } from './failure.ts';

/** How requests are sent: `fetch`, or a stand-in for it in tests. */
export type Send = (request: Request) => Promise<Response>;

/** The bounds of one request, and where it is noted. */
export interface Bounds {
  /** Milliseconds in which the answer has to be complete. */
  readonly timeout: number;
  /** Bytes that an answer may have, after decompression. */
  readonly limit: number;
  readonly note: (exchange: Exchange) => void;
  /** Whether another origin than the target's answers: what it says is not shown. */
  readonly foreign?: boolean;
  /** How to name the address, where it is not to be shown either. */
  readonly shown?: string;
  /**
   * Takes the body of a success as it comes, and does not throw. The answer then has the first
   * kilobytes alone.
   */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/** A complete answer. */
export interface TargetResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
  readonly url: string;
  /** The same for a message: an address that another origin gave is not shown. */
  readonly shown: string;
  /** Whether another origin than the target's has answered: what it says is not shown. */
  readonly foreign: boolean;
}

/** Characters of a body that are noted: more than are shown, as a key is replaced before they are cut. */
const bodyNoted = 4_000;
const firstBuffer = 16 * 1024;

/**
 * Sends a request and reads the whole answer. Whatever the target does, it ends in time.
 * @throws NoAnswer when no answer begins, or one that goes beyond the suite's own bounds, as the
 *   interface sets none; CheckFailure when one begins and breaks off.
 */
export async function exchange(
  send: Send,
  request: Request,
  body: string | undefined,
  bounds: Bounds,
): Promise<TargetResponse> {
  const begin = performance.now();
  const { foreign = false, shown = request.url } = bounds;
  const { method, url } = request;
  const facts = {
    curl:
      shown === url
        ? toCurl({ method, url: new URL(url), headers: request.headers, body })
        : `# ${method} ${shown}`,
  };
  const deadline = new AbortController();
  const { signal } = deadline;
  const timer = setTimeout(() => deadline.abort(), bounds.timeout);
  const note = (more: Partial<Exchange>): Exchange => {
    const noted = { ...facts, ...more, duration: Math.round(performance.now() - begin) };
    bounds.note(noted);
    return noted;
  };
  let answer: { status: number; headers: Record<string, string> } | undefined;
  try {
    const response = await within(signal, send(new Request(request, { signal })));
    const headers = Object.fromEntries(response.headers);
    answer = { status: response.status, headers: foreign ? formOf(headers) : headers };
    const bytes = await within(signal, readBody(response, bounds, signal));
    const text = new TextDecoder().decode(bytes.subarray(0, 4 * bodyNoted));
    const noted = note({ ...answer, ...(!foreign && { body: text.slice(0, bodyNoted) }) });
    return rememberExchanges(
      {
        status: response.status,
        headers: response.headers,
        bytes,
        get text() {
          return new TextDecoder().decode(bytes);
        },
        url: request.url,
        shown,
        foreign,
      },
      [noted],
    );
  } catch (error) {
    const failure = explain(error, signal.aborted, bounds);
    const noted = note({ ...answer, failure });
    const where = `${request.method} ${shown}`;
    if (answer === undefined || signal.aborted || error instanceof TooLarge) {
      const code = answer === undefined ? (signal.aborted ? 'TIMEOUT' : codeOf(error)) : undefined;
      throw new NoResponse(`${where}: expected an answer, but ${failure}`, code);
    }
    throw new CheckFailure(
      `${where}: expected an answer that can be read to its end, but after status ${answer.status} ${failure}`,
      [noted],
    );
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}

/** What may be said of another origin's answer beside its status. */
function formOf(headers: Record<string, string>): Record<string, string> {
  const { 'content-type': type = '', 'content-length': length = '' } = headers;
  return {
    ...(/^[\w.+-]{1,40}\/[\w.+-]{1,40}(?=;|$)/.test(type) && {
      'content-type': type.split(';')[0] ?? '',
    }),
    ...(/^\d+$/.test(length) && { 'content-length': length }),
  };
}

/** An answer of more bytes than the suite reads. */
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

/** A stand-in for `fetch` may not heed the signal, so the wait does. */
function within<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    }),
  ]);
}

function explain(error: unknown, timedOut: boolean, { timeout, foreign }: Bounds): string {
  if (timedOut) return `it was not complete within ${timeout} ms`;
  if (!(error instanceof Error)) return 'the connection failed';
  const code = codeOf(error);
  // The names in a certificate are another host's words as well.
  const said = foreign && !(error instanceof TooLarge) ? '' : causeOf(error).message;
  return `${said || 'the connection failed'}${code === 'UNKNOWN' ? '' : ` (${code})`}`;
}

/** `fetch` hides what went wrong with a connection behind an error of its own. */
function causeOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? causeOf(error) : {};
  return 'code' in cause ? String(cause.code) : 'UNKNOWN';
}
