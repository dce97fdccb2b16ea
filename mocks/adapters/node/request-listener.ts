import { once } from 'node:events';
import { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers';
import { inspect } from 'node:util';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Responder } from '../../http/app.ts';
import type { MeasuredHeaders } from '../../journal/journal.ts';
import { bodyBreaksOff } from '../../messages/response.ts';

type Bindings = HttpBindings | Http2Bindings;

type Listener = (request: Request, bindings: Bindings) => Promise<Response>;

/** Makes the function that carries requests from Node's server to a mock, and its responses back. */
export function createListener(respond: Responder): Listener {
  return (request, bindings) => {
    const { rawHeaders } = bindings.incoming;
    if (hasNamelessHeader(rawHeaders)) {
      return Promise.resolve(new Response(undefined, { status: 400 }));
    }
    Object.defineProperty(request, 'headers', { value: new RawHeaders(rawHeaders) });
    const response = respond(request);
    const isWhole =
      !(response instanceof Promise) && response.status !== 0 && !bodyBreaksOff(response);
    return isWhole ? turnEnd().then(() => response) : sendLater(response, bindings);
  };
}

/** Newer versions of Node refuse such a request themselves, in the same way. */
function hasNamelessHeader(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some((text, at) => text === '' && at % 2 === 0);
}

async function sendLater(
  pending: Response | Promise<Response>,
  { incoming, outgoing }: Bindings,
): Promise<Response> {
  const response = await pending;
  await turnEnd();
  // A fault asks for a broken connection with `Response.error()`, whose status is 0.
  if (response.status === 0) {
    // There is no socket while earlier responses on the same connection are being sent.
    if (outgoing.socket === null) await once(outgoing, 'socket');
    reset(outgoing.socket, incoming.headers['user-agent']);
    return RESPONSE_ALREADY_SENT;
  }
  return bodyBreaksOff(response) ? closeAfter(response, incoming, outgoing) : response;
}

/**
 * Breaks a connection. A browser that has used it before sends the request again on a new one, and the page sees no
 * failure, unless a response has begun. An informational one is enough. Node's `fetch` would name another error then.
 */
function reset(socket: Bindings['outgoing']['socket'], userAgent = ''): void {
  const isBrowser = userAgent.startsWith('Mozilla/');
  if (!isBrowser) socket?.resetAndDestroy();
  else socket?.write('HTTP/1.1 102 Processing\r\n\r\n', () => socket.resetAndDestroy());
}

// Saved at the start, so that a test that replaces the timers of its process still gets responses.
const afterThisTurn = setImmediate;

let turn: Promise<void> | undefined;

/**
 * Resolves in the next turn of the event loop, so that all responses of one turn are sent together. Waking a sleeping
 * client costs more than most responses; a second write to a client that is awake costs little.
 */
function turnEnd(): Promise<void> {
  turn ??= new Promise((resolve) => {
    afterThisTurn(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

/**
 * Ends a body that breaks off, and closes the connection once it is sent. If the stream failed instead, the server would
 * discard what it has not sent yet.
 */
function closeAfter(
  { status, headers, body }: Response,
  { socket }: Bindings['incoming'],
  outgoing: Bindings['outgoing'],
): Response {
  async function* untilItBreaks() {
    try {
      yield* body ?? [];
    } catch {
      outgoing.once('finish', () => socket.destroy());
    }
  }
  const endingBody = ReadableStream.from(untilItBreaks()) as BodyInit;
  return new Response(endingBody, { status, headers });
}

/**
 * The headers of a request as Node received them: names and values in turn. Making a `Headers` of the platform costs
 * more than the rest of a response, and most responses need only two or three headers, so it is made when a method
 * needs more than those. The headers of `@hono/node-server` are lazy, too, but would keep the connection of each request
 * in the journal.
 */
export class RawHeaders implements Headers, MeasuredHeaders {
  readonly #raw: readonly string[];
  #parsed: Headers | undefined;

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get textLength(): number {
    return this.#raw.reduce((sum, { length }) => sum + length, 0);
  }

  /** From the first method on that needs it, the headers are here. */
  get #whole(): Headers {
    this.#parsed ??= parseHeaders(this.#raw);
    return this.#parsed;
  }

  get(name: string): string | null {
    // The platform knows which names are invalid.
    if (this.#parsed !== undefined || !plainName.test(name)) return this.#whole.get(name);
    const raw = this.#raw;
    const lowerName = name.toLowerCase();
    const separator = lowerName === 'cookie' ? '; ' : ', ';
    let value: string | null = null;
    for (let at = 0; at < raw.length; at += 2) {
      if (raw[at]?.length !== lowerName.length || raw[at]?.toLowerCase() !== lowerName) continue;
      value = value === null ? (raw[at + 1] ?? '') : `${value}${separator}${raw[at + 1]}`;
    }
    return value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  append(name: string, value: string): void {
    this.#whole.append(name, value);
  }

  set(name: string, value: string): void {
    this.#whole.set(name, value);
  }

  delete(name: string): void {
    this.#whole.delete(name);
  }

  getSetCookie(): string[] {
    return this.#whole.getSetCookie();
  }

  keys(): HeadersIterator<string> {
    return this.#whole.keys();
  }

  values(): HeadersIterator<string> {
    return this.#whole.values();
  }

  entries(): HeadersIterator<[string, string]> {
    return this.#whole.entries();
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }

  /** What `console.log` shows. The platform's own method reads private fields, which these headers lack. */
  [inspect.custom](): Headers {
    return this.#whole;
  }
}

// So that `instanceof Headers` holds.
Object.setPrototypeOf(RawHeaders.prototype, Headers.prototype);

const plainName = /^[\w-]+$/;

function parseHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    // HTTP/2 has pseudo-headers, such as `:path`.
    if (!name.startsWith(':')) headers.append(name, raw[at + 1] ?? '');
  }
  return headers;
}
