import type { ClientOperation } from '../../interface/operation-names.ts';
import {
  type ClientRequest,
  clientRequestOf,
  noteClientRequest,
  type Rewrite,
} from '../messages/client-request.ts';
import { bodyBreaksOff, type PlainResponse, toResponse } from '../messages/response.ts';
import type { OpenWorld } from '../service/world.ts';
import type { TimeSource } from '../state/clock.ts';
import { corsHeadersOf } from './apply-dialect.ts';
import { type Arrival, noteWorld } from './arrival.ts';

/** Responds to a request as it arrived. */
type Answer = (arrival: Arrival) => PlainResponse | Promise<PlainResponse>;

/** What the mock itself does with a request. */
interface MockItself {
  readonly answer: Answer;
  /** Reads a request that a variant sends. */
  readonly receive: (request: Request) => Arrival;
  readonly operationOf: (arrival: Arrival) => ClientOperation | undefined;
  /** Opens the world that a request is about; `undefined` if it is about none that the mock knows. */
  readonly worldOf: (arrival: Arrival) => Promise<OpenWorld | undefined>;
}

/**
 * Lets a variant change the responses to clients. To respond to one request it may send several, of which the journal
 * shows none: it shows what the client sent, and got.
 */
export function rewriteResponses(
  rewrite: Rewrite,
  { answer, receive, operationOf, worldOf }: MockItself,
): Answer {
  const arrivals = new WeakMap<ClientRequest, Arrival>();
  const respond = rewrite(async (request) => {
    const known = clientRequestOf(request);
    const client = known && arrivals.get(known);
    const arrival = receive(request);
    return toResponse(await answer(client ? { ...arrival, notes: client.notes } : arrival));
  });
  return async (arrival) => {
    const known = clientRequest(arrival);
    arrivals.set(known, arrival);
    noteClientRequest(arrival.request, known);
    const response = await toPlainResponse(await respond(arrival.request));
    // A variant that responds itself does not ask the mock, which would note it.
    const operation = arrival.notes.operation ?? operationOf(arrival);
    if (operation !== undefined) arrival.notes.operation = operation;
    if (arrival.notes.world === undefined) {
      const world = await worldOf(arrival);
      if (world !== undefined) noteWorld(arrival.notes, world);
    }
    // What a variant responds itself must be as open to pages as anything else.
    return { ...response, headers: { ...corsHeadersOf(arrival, response), ...response.headers } };
  };
}

function clientRequest({ app, notes }: Arrival): ClientRequest {
  const { time } = app.settings;
  return {
    now: () => notes.world?.clock.now() ?? Math.round(time.now()),
    wait: (milliseconds) => waitFor(time, milliseconds),
  };
}

/** Resolves after real milliseconds; at once if time stands still. */
async function waitFor({ alarm }: TimeSource, milliseconds: number): Promise<void> {
  if (alarm !== undefined) await new Promise<void>((resolve) => alarm(milliseconds, resolve));
}

/** Texts are read, because the journal shows them. */
async function toPlainResponse(response: Response): Promise<PlainResponse> {
  const { status, headers, body } = response;
  if (status === 0) return { status, headers: {}, body: null };
  const breaksOff = bodyBreaksOff(response);
  const isText = /json|text|mpegurl/.test(headers.get('content-type') ?? '');
  return {
    status,
    headers: Object.fromEntries(headers),
    body: isText && body !== null && !breaksOff ? [await response.text()] : body,
    ...(breaksOff && { breaksOff }),
  };
}
