import { setImmediate } from 'node:timers';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { bodyBreaksOff, problemResponse, toResponse } from '../../messages/response.ts';
import type { Mock } from '../../mock.ts';
import { Problem } from '../../problems/problem.ts';
import { createPipelining } from './pipelining.ts';
import { createHeaderReader } from './raw-headers.ts';

type Outgoing = (HttpBindings | Http2Bindings)['outgoing'];

type Listener = (request: Request, bindings: HttpBindings | Http2Bindings) => Promise<Response>;

/** Makes the function that carries requests from Node's server to a mock, and its responses back. */
export function createListener(fetch: Mock['fetch']): Listener {
  const readHeaders = createHeaderReader();
  const nextTurn = createTurns();
  const awaitTurn = createPipelining();
  return async (request, { incoming, outgoing }) => {
    Object.defineProperty(request, 'headers', { value: readHeaders(incoming.rawHeaders) });
    if (outgoing.socket === null) await awaitTurn(incoming, outgoing);
    const response = await fetch(request);
    await nextTurn();
    // A fault asks for a broken connection by `Response.error()`, whose status is 0.
    if (response.status === 0) {
      outgoing.socket?.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
    return bodyBreaksOff(response) ? closeBehind(response, outgoing) : response;
  };
}

// Kept from the start, so that a test that replaces the timers of its process still gets responses.
const afterThisTurn = setImmediate;

/**
 * Makes a function that resolves in the next turn of the event loop, so that all responses of one turn
 * are sent together: waking a sleeping client costs more than most responses, and a second write to an
 * awake one costs little.
 */
export function createTurns(): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= new Promise((resolve) => {
      afterThisTurn(() => {
        next = undefined;
        resolve();
      });
    });
    return next;
  };
}

/**
 * Ends a body that breaks off, and closes the connection once it is sent. A stream that fails would
 * make the server discard what it has not sent yet.
 */
function closeBehind({ status, headers, body }: Response, outgoing: Outgoing): Response {
  const reader = body?.getReader();
  const { socket } = outgoing; // it is gone once the response is finished
  const shorter = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value } = (await reader?.read()) ?? {};
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      } catch {
        outgoing.once('finish', () => socket?.destroy());
        controller.close();
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return new Response(shorter, { status, headers });
}

/** Responds where path and host make no URL, so that there is no request to hand to the mock. */
export function answerUnreadable(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error);
  return toResponse(
    problemResponse(
      new Problem('malformed', {
        path: 'request',
        expected: 'a path and a header host that make a URL',
        got: `"${message}"`,
      }),
    ),
  );
}
