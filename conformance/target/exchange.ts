import { toCurl } from '../../curl.ts';
import type { Evidence } from '../model/report.ts';
import { CheckFailure, NoResponse, rememberExchanges } from './failure.ts';
import type { WriteGate } from './gate.ts';
import { parseBoundedJson } from './parse-json.ts';

/** A stand-in for `fetch` that an option gives. Its requests have no signal. */
export type Send = (request: Request) => Promise<Response>;

/** How requests are sent: as `fetch` does, with responses of any status. */
export type SendTo = (url: string, init: ToSend) => Promise<Started>;

/** A request as `fetch` takes it. */
export interface ToSend {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly redirect?: 'manual';
  readonly signal?: AbortSignal;
}

/** A response that has begun. */
export interface Started extends Pick<Response, 'status' | 'headers'> {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** The bounds of one request, and where it is noted. */
export interface Bounds {
  /** Milliseconds within which the response must be complete. */
  readonly timeout: number;
  /** Bytes that a response may have, after decompression. */
  readonly limit: number;
  readonly note: (exchange: Evidence) => void;
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
  /** The body, parsed. @throws SyntaxError or NoResponse, as {@link parseBoundedJson} does */
  readonly json: unknown;
  readonly url: string;
  /** The body of the request, if it was a text. */
  readonly sent: string | undefined;
  /** How messages name the address: one that another origin gave is not shown. */
  readonly shown: string;
  /** Whether it came from another origin than the target's: its content is not shown. */
  readonly foreign: boolean;
}

/** Characters of a body that are noted: more than a report shows, as keys are replaced before it is cut. */
const bodyNoted = 4_000;

type Init = Omit<ToSend, 'signal'>;

/**
 * Sends a request and reads the whole response. Whatever the target does, it ends in time.
 * @throws NoResponse if no response begins, or one exceeds the suite's bounds (the interface sets
 *   none); CheckFailure if one begins and breaks off; ForeignWrite for a request that is not sent
 */
export async function exchange(
  { send, gate }: { readonly send: SendTo; readonly gate: WriteGate },
  address: string | URL,
  init: Init,
  bounds: Bounds,
): Promise<TargetResponse> {
  const start = performance.now();
  const { href: url } = new URL(address);
  const { foreign = false, shown = url } = bounds;
  const { method = 'GET' } = init;
  const outgoing = { method, url };
  gate.admit(outgoing);
  const note = (more: Partial<Evidence>): Evidence => {
    const noted = {
      // Most exchanges are never shown, so the line for a shell is written when somebody reads it.
      get curl() {
        return shown === url ? describeRequest(url, init) : `# ${method} ${shown}`;
      },
      ...more,
      duration: Math.round(performance.now() - start),
    };
    bounds.note(noted);
    return noted;
  };
  const deadline = new AbortController();
  const { signal } = deadline;
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  over.catch(() => {});
  const timer = setTimeout(() => deadline.abort(), bounds.timeout);
  let begun: Pick<Evidence, 'status' | 'headers'> | undefined;
  try {
    // A stand-in for `fetch` may never respond.
    const response = await Promise.race([send(url, { ...init, signal }), over]);
    const { status, headers, body } = response;
    const all = Object.fromEntries(headers);
    begun = { status, ...(!foreign && { headers: all }) };
    const bytes = await Promise.race([readBody(body, bounds, { status, signal }), over]);
    const beginning = decode(bytes.subarray(0, 4 * bodyNoted)).slice(0, bodyNoted);
    const noted = note({ ...begun, ...(!foreign && { body: beginning }) });
    const read: TargetResponse = {
      status,
      headers,
      bytes,
      url,
      shown,
      foreign,
      sent: typeof init.body === 'string' ? init.body : undefined,
      text: decode(bytes),
      get json() {
        return parseBoundedJson(read.text);
      },
    };
    gate.learn(outgoing, read);
    return rememberExchanges(read, [noted]);
  } catch (error) {
    const timedOut = signal.aborted;
    // What is left of the response is not read.
    deadline.abort();
    const failure = explain(error, timedOut, bounds);
    const noted = note({ ...begun, failure });
    const where = `${method} ${shown}`;
    if (begun !== undefined && !timedOut && !(error instanceof OutOfBounds)) {
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

function describeRequest(url: string, { method = 'GET', headers, body }: Init): string {
  const text = body instanceof Uint8Array ? decode(body) : body;
  return toCurl({ method, url: new URL(url), headers: new Headers(headers), body: text });
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A response of more bytes than the suite reads, or packed as it does not unpack. */
export class OutOfBounds extends Error {}

/** Bytes that are kept of a body that is taken chunk by chunk. */
const keptOfChunks = 64 * 1024;

/** Chunks are copied into one buffer at once: a target may send a byte at a time. */
async function readBody(
  body: Started['body'],
  { limit, onChunk }: Bounds,
  { status, signal }: { readonly status: number; readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  const most = onChunk === undefined ? limit : keptOfChunks;
  let buffer = new Uint8Array(0);
  let kept = 0;
  let length = 0;
  for await (const chunk of body ?? []) {
    // What a stand-in for `fetch` responds with is not ended by the signal.
    signal.throwIfAborted();
    length += chunk.length;
    if (length > limit) throw new OutOfBounds(`it had more than ${limit} bytes`);
    if (status >= 200 && status <= 299) onChunk?.(chunk);
    const part = chunk.subarray(0, most - kept);
    if (kept + part.length > buffer.length) {
      const larger = new Uint8Array(Math.min(most, 2 * (kept + part.length)));
      larger.set(buffer);
      buffer = larger;
    }
    buffer.set(part, kept);
    kept += part.length;
  }
  return buffer.subarray(0, kept);
}

function explain(error: unknown, timedOut: boolean, { timeout, foreign }: Bounds): string {
  if (timedOut) return `it was not complete within ${timeout} ms`;
  if (!(error instanceof Error)) return 'the connection failed';
  const code = codeOf(error);
  // The message of a certificate error quotes names that the other host chose.
  if (code === 'ECONNRESET') return `the other side closed the connection (${code})`;
  const message = foreign && !(error instanceof OutOfBounds) ? '' : causeOf(error).message;
  return `${message || 'the connection failed'}${code === 'UNKNOWN' ? '' : ` (${code})`}`;
}

/** A stand-in such as `fetch` wraps the error of a connection in one of its own. */
function causeOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? causeOf(error) : undefined;
  return cause !== undefined && 'code' in cause ? String(cause.code) : 'UNKNOWN';
}
