import { once } from 'node:events';
import { ReadableStream } from 'node:stream/web';
import { setImmediate } from 'node:timers';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MeasuredHeaders } from '../../journal/journal.ts';
import { Problem } from '../../messages/problem.ts';
import { bodyBreaksOff, problemResponse, toResponse } from '../../messages/response.ts';
import type { Mock } from '../../mock.ts';

type Incoming = (HttpBindings | Http2Bindings)['incoming'];
type Outgoing = (HttpBindings | Http2Bindings)['outgoing'];

type Listener = (request: Request, bindings: HttpBindings | Http2Bindings) => Promise<Response>;

/** Makes the function that carries requests from Node's server to a mock, and its responses back. */
export function createListener(fetch: Mock['fetch']): Listener {
  return async (request, { incoming, outgoing }) => {
    Object.defineProperty(request, 'headers', { value: readRawHeaders(incoming.rawHeaders) });
    const response = await fetch(request);
    await turnEnd();
    // A fault asks for a broken connection by `Response.error()`, whose status is 0.
    if (response.status === 0) {
      // It has no socket yet while earlier responses on its connection are sent.
      if (outgoing.socket === null) await once(outgoing, 'socket');
      outgoing.socket?.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
    return bodyBreaksOff(response) ? closeBehind(response, incoming, outgoing) : response;
  };
}

/**
 * The headers of a request as Node received them: names and values in turn. To make a platform `Headers`
 * costs more than the rest of a response, and most requests are answered by two or three of them.
 */
class RawHeaders implements Pick<Headers, 'get' | 'has'>, MeasuredHeaders {
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get textLength(): number {
    return this.#raw.reduce((sum, { length }) => sum + length, 0);
  }

  get(name: string): string | null {
    const raw = this.#raw;
    const wanted = name.toLowerCase();
    let found: string | null = null;
    for (let at = 0; at < raw.length; at += 2) {
      if (raw[at]?.length !== wanted.length || raw[at]?.toLowerCase() !== wanted) continue;
      found = found === null ? (raw[at + 1] ?? '') : `${found}, ${raw[at + 1]}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    const headers = new Headers();
    for (let at = 0; at < this.#raw.length; at += 2) {
      headers.append(this.#raw[at] ?? '', this.#raw[at + 1] ?? '');
    }
    return headers.entries();
  }
}

/** Reads headers only when they are asked for; `raw` holds names and values in turn. */
export function readRawHeaders(raw: readonly string[]): Headers {
  return new RawHeaders(raw) as unknown as Headers;
}

// Kept from the start, so that a test that replaces the timers of its process still gets responses.
const afterThisTurn = setImmediate;

let turn: Promise<void> | undefined;

/**
 * Resolves in the next turn of the event loop, so that all responses of one turn are sent together: waking a
 * sleeping client costs more than most responses, and a second write to an awake one costs little.
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
 * Ends a body that breaks off, and closes the connection once it is sent. A stream that fails would
 * make the server discard what it has not sent yet.
 */
function closeBehind(
  { status, headers, body }: Response,
  { socket }: Incoming,
  outgoing: Outgoing,
): Response {
  async function* untilItBreaks() {
    try {
      yield* body ?? [];
    } catch {
      outgoing.once('finish', () => socket.destroy());
    }
  }
  const shorter = ReadableStream.from(untilItBreaks()) as BodyInit;
  return new Response(shorter, { status, headers });
}

/** Responds where path and host make no URL, so that there is no request to hand to the mock. */
export function answerUnreadable(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error);
  const expected = 'a path and a header host that make a URL';
  const issue = { path: 'request', expected, got: `"${message}"` };
  return toResponse(problemResponse(new Problem('malformed', issue)));
}
