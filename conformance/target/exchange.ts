import { toCurl } from '../../curl.ts';
import type { Evidence } from '../model/report.ts';
import { CheckFailure, NoResponse, rememberExchanges } from './failure.ts';
import type { WriteGate } from './gate.ts';

/** A stand-in for `fetch` that an option gives. Its requests have no signal. */
export type Send = (request: Request) => Promise<Response>;

/** Sends a request as `fetch` does, and resolves to a response of any status. */
export type SendTo = (url: string, init: ToSend) => Promise<Started>;

/** A request as `fetch` takes it. Redirects are not followed. */
export interface ToSend {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
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
  /** The body of the request as text. */
  readonly sent: string | undefined;
  /** How messages name the address: one that another origin gave is not shown. */
  readonly shown: string;
  /** Whether it came from another origin than the target's: its content is not shown. */
  readonly foreign: boolean;
}

/** Characters of a body that are noted: more than a report shows, as keys are replaced before it is cut. */
const bodyNoted = 4_000;

/**
 * Sends a request and reads the whole response. Whatever the target does, it ends in time.
 * @throws NoResponse if no response begins, or one exceeds the suite's bounds (the interface sets
 *   none); CheckFailure if one begins and breaks off; ForeignWrite for a request that is not sent
 */
export async function exchange(
  { send, gate }: { readonly send: SendTo; readonly gate: WriteGate },
  address: string | URL,
  init: Omit<ToSend, 'signal'>,
  bounds: Bounds,
): Promise<TargetResponse> {
  const start = performance.now();
  const { href: url } = new URL(address);
  const { foreign = false, shown = url } = bounds;
  const { method = 'GET', headers: given, body } = init;
  const sent = body && decode(body);
  const outgoing = { method, url };
  gate.admit(outgoing);
  const note = (more: Partial<Evidence>): Evidence => {
    const noted = {
      // Most exchanges are never shown, so the line for a shell is written when somebody reads it.
      get curl() {
        if (shown !== url) return `# ${method} ${shown}`;
        return toCurl({ method, url: new URL(url), headers: new Headers(given), body: sent });
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
    const { status, headers } = response;
    begun = { status, ...(!foreign && { headers: Object.fromEntries(headers) }) };
    const bytes = await Promise.race([readBody(response, bounds, signal), over]);
    const beginning = decode(bytes.subarray(0, 4 * bodyNoted)).slice(0, bodyNoted);
    const noted = note({ ...begun, ...(!foreign && { body: beginning }) });
    const read: TargetResponse = {
      status,
      headers,
      bytes,
      url,
      shown,
      foreign,
      sent,
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

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A response of more bytes than the suite reads, or packed as it does not unpack. */
export class OutOfBounds extends Error {}

/** Bytes that are kept of a body that is taken chunk by chunk. */
const keptOfChunks = 64 * 1024;

/** Chunks are copied into one buffer at once: a target may send a byte at a time. */
async function readBody(
  { status, body }: Started,
  { limit, onChunk }: Bounds,
  signal: AbortSignal,
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

/** Levels of arrays and objects; the interface needs four. */
const deepest = 100;
/** Each value takes memory of its own; thousands of sessions have fewer. */
const maxValues = 150_000;

/**
 * Parses JSON of bounded depth and size.
 * @throws SyntaxError for text that is not JSON; NoResponse, before any value is built, for JSON
 *   beyond the suite's bounds (the interface sets none)
 */
export function parseBoundedJson(text: string): unknown {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else {
      depth += levels[character] ?? 0;
      values += beginsValue.includes(character) ? 1 : 0;
    }
    if (depth > deepest) throw tooLarge(`${deepest} levels`);
    if (values > maxValues) throw tooLarge(`${maxValues} values`);
  }
  return JSON.parse(text);
}

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
/** An empty list or object has no first value, and counts twice. */
const beginsValue = '[{,';

function tooLarge(bound: string): NoResponse {
  return new NoResponse(
    `expected JSON of at most ${bound}, got more, which the suite does not read`,
  );
}
