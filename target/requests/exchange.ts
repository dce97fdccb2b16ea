import { toCurl } from '../../text/curl.ts';
import { parseBoundedJson } from './bounded-json.ts';
import type { Evidence } from './evidence.ts';
import { type ExtraHeaders, shownHeaders } from './extra-headers.ts';
import { CheckFailure, NoResponse, rememberExchanges } from './failure.ts';
import type { WriteGate } from './gate.ts';
import { showBody } from './shown-body.ts';

/** A replacement for `fetch` from an option. Its requests have no signal. */
export type Send = (request: Request) => Promise<Response>;

/** Sends a request as `fetch` does, and resolves to a response of any status. */
export type Transport = (url: string, init: OutgoingRequest) => Promise<IncomingResponse>;

/** A request as `fetch` takes it. Redirects are not followed. */
export interface OutgoingRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

/** A response that has begun. */
export interface IncomingResponse extends Pick<Response, 'status' | 'headers'> {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** What sends requests, stops those that would harm others, and adds what a user wants to be sent with them. */
interface Sender {
  readonly send: Transport;
  readonly gate: WriteGate;
  readonly extraHeaders?: ExtraHeaders;
}

/** The bounds of one request, and where it is noted. */
export interface Bounds {
  /** Milliseconds within which the response must be complete. */
  readonly timeout: number;
  /** How many bytes a response may have after decompression. */
  readonly limit: number;
  readonly note?: ((exchange: Evidence) => void) | undefined;
  /** The headers of the request as its evidence shows them, if not as they are sent. */
  readonly shownHeaders?: Readonly<Record<string, string>>;
  /** Whether the request goes to an origin other than the target's: the response is not shown. */
  readonly foreign?: boolean;
  /** What messages show instead of the address. */
  readonly label?: string;
  /** Whether evidence shows the address all the same: messages leave out only its ids. */
  readonly isAddressShown?: boolean;
  /**
   * Takes the body of a successful response chunk by chunk, and must not throw. The response itself then
   * has only the first kilobytes.
   */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/** A complete response. */
export interface TargetResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly text: string;
  /** The body, parsed. @throws SyntaxError or NoResponse, as {@link parseBoundedJson} does. */
  readonly json: unknown;
  readonly url: string;
  /** The body of the request as text. */
  readonly sent: string | undefined;
  /** How messages name the address: an address from another origin is not shown. */
  readonly label: string;
  /** Whether it came from an origin other than the target's: its content is not shown. */
  readonly foreign: boolean;
}

/** How many bytes of a body are noted: more than a report shows, which cuts them only after it has replaced keys. */
const bodyNoted = 4_000;

/**
 * Sends a request and reads the whole response. It ends in time, whatever the target does.
 * @throws NoResponse if no response begins, or it exceeds the suite's limits (the interface has none),
 *   CheckFailure if a response begins and breaks off, and ForeignWrite if the gate stops the request.
 */
export async function exchange(
  { send, gate, extraHeaders }: Sender,
  address: string | URL,
  init: Omit<OutgoingRequest, 'signal'>,
  bounds: Bounds,
): Promise<TargetResponse> {
  const start = performance.now();
  const { href: url } = new URL(address);
  const { foreign = false, label = url, isAddressShown = label === url } = bounds;
  const { method = 'GET', body } = init;
  const extra = extraHeaders?.to(url) ?? {};
  const allHeaders = { ...extra, ...init.headers };
  const shown = { ...shownHeaders(extra), ...(bounds.shownHeaders ?? init.headers) };
  const sent = body && decodeUtf8(body);
  const outgoing = { method, url };
  gate.admit(outgoing);
  const note = (outcome: Partial<Evidence>): Evidence => {
    const duration = Math.round(performance.now() - start);
    const noted = evidenceOf(
      { method, url, ...(!isAddressShown && { label }), headers: shown, sent },
      { ...outcome, duration },
    );
    bounds.note?.(noted);
    return noted;
  };
  const deadline = new AbortController();
  const { signal } = deadline;
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  over.catch(() => {});
  const timer = setTimeout(() => deadline.abort(), bounds.timeout);
  let head: Pick<Evidence, 'status' | 'headers'> | undefined;
  let read: TargetResponse;
  try {
    // A replacement for `fetch` may never respond.
    const response = await Promise.race([
      send(url, { ...init, headers: allHeaders, signal }),
      over,
    ]);
    const { status, headers } = response;
    head = { status, ...(!foreign && { headers: Object.fromEntries(headers) }) };
    const bytes = await Promise.race([readBody(response, bounds, signal), over]);
    const text = decodeUtf8(bytes);
    // A slice of a long text would keep the whole text in memory.
    const beginning = bytes.subarray(0, bodyNoted);
    const noted = note({ ...head, ...(!foreign && { body: showBody(beginning) }) });
    let parsed: { readonly json: unknown } | undefined;
    read = {
      status,
      headers,
      bytes,
      url,
      label,
      foreign,
      sent,
      text,
      get json() {
        parsed ??= { json: parseBoundedJson(text) };
        return parsed.json;
      },
    };
    rememberExchanges(read, [noted]);
  } catch (exception) {
    const timedOut = signal.aborted;
    // The rest of the response is not read.
    deadline.abort();
    const code = timedOut ? 'TIMEOUT' : codeOf(exception);
    const failure = explainFailure(exception, code, bounds);
    const noted = note({ ...head, failure });
    const where = `${method} ${label}`;
    if (head !== undefined && !timedOut && !(exception instanceof OutOfBounds)) {
      const message = `expected a complete response, but after status ${head.status} ${failure}`;
      throw new CheckFailure([`${where}: ${message}`], [noted]);
    }
    const message = `${where}: expected a response, but ${failure}`;
    throw new NoResponse(message, head === undefined ? code : undefined);
  } finally {
    clearTimeout(timer);
  }
  gate.learn(outgoing, read);
  return read;
}

interface NotedRequest
  extends Pick<TargetResponse, 'url' | 'sent'>,
    Required<Pick<OutgoingRequest, 'method' | 'headers'>> {
  /** Stands for the address, if that must not be shown. */
  readonly label?: string;
}

/** Evidence is kept until a run ends, so it must not keep the response in memory. */
function evidenceOf(request: NotedRequest, outcome: Omit<Evidence, 'curl'>): Evidence {
  const { method, url, label, headers, sent } = request;
  return {
    // Most exchanges are never shown, so the line for a shell is written only when it is read.
    get curl() {
      if (label !== undefined) return `# ${method} ${label}`;
      return toCurl({ method, url: new URL(url), headers: new Headers(headers), body: sent });
    },
    ...outcome,
  };
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A response has too many bytes, or is compressed in a way that the suite does not read. */
export class OutOfBounds extends Error {}

/** How many bytes are kept of a body that is read chunk by chunk. */
const keptOfChunks = 64 * 1024;
/** After how many chunks they are joined: a target may send one byte at a time, and a chunk takes more memory than its bytes. */
const maxChunks = 64;

async function readBody(
  { status, body }: IncomingResponse,
  { limit, onChunk }: Bounds,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const maxKept = onChunk === undefined ? limit : keptOfChunks;
  const joined: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    // The signal does not end the response of a replacement for `fetch`.
    signal.throwIfAborted();
    const bytesKept = Math.min(length, maxKept);
    length += chunk.length;
    if (length > limit) throw new OutOfBounds(`it had more than ${limit} bytes`);
    if (status >= 200 && status <= 299) onChunk?.(chunk);
    // Even an empty part would keep the whole chunk in memory.
    if (bytesKept < maxKept) chunks.push(chunk.subarray(0, maxKept - bytesKept));
    if (chunks.length < maxChunks) continue;
    joined.push(Buffer.concat(chunks));
    chunks = [];
  }
  return Buffer.concat([...joined, ...chunks]);
}

function explainFailure(exception: unknown, code: string, { timeout, foreign }: Bounds): string {
  if (code === 'TIMEOUT') return `it was not complete within ${timeout} ms`;
  if (code === 'ECONNRESET') return `the other side closed the connection (${code})`;
  const cause = causeOf(exception);
  // The message of a certificate error quotes names that the other host chose.
  const isShown = cause instanceof OutOfBounds || (cause instanceof Error && !foreign);
  const message = (isShown && cause.message) || 'the connection failed';
  return code === 'UNKNOWN' ? message : `${message} (${code})`;
}

/** Functions such as `fetch` wrap the exception of a connection in their own. */
function causeOf(exception: unknown): unknown {
  return exception instanceof Error && exception.cause instanceof Error
    ? exception.cause
    : exception;
}

function codeOf(exception: unknown): string {
  const cause = causeOf(exception);
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'UNKNOWN';
}
