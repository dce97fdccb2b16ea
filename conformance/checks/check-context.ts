import type { Connection } from '../../target/connection.ts';
import { fetchMedia, type MediaAddress, type Reading } from '../../target/media/fetch-media.ts';
import type { Evidence } from '../../target/requests/evidence.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { Blocked, NoResponse, unlessPrevented } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { createCaller } from '../../target/streams/creations.ts';
import { listRecorded } from '../../target/streams/recorded-list.ts';
import {
  type Caller,
  type CreatedStream,
  createOwnStream,
  requestStream,
  retrieveStream,
} from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import { createSessionMaker } from '../sessions/session-maker.ts';
import type { SharedSessions } from '../sessions/shared-sessions.ts';

/** What a check gets: requests to the target, streams of its own, and recorded sessions. */
export type CheckContext = ReturnType<typeof createCheckContext>;

/** What the checks of one run share. */
export interface CheckSource extends Connection {
  readonly sessions: SharedSessions;
  readonly now: () => number;
}

/** The context of one check. Exchanges and observations are added to the given lists. */
export function createCheckContext(
  source: CheckSource,
  exchanges: Evidence[],
  observations: string[],
) {
  const { target, sessions, creations, now } = source;
  const note = (exchange: Evidence): void => {
    exchanges.push(exchange);
    if (exchanges.length > evidenceKept) exchanges.shift();
  };
  const spend = createBudget(timeoutsPerCheck * target.timeout);
  const send = createCaller(target, creations, note);
  const call: Caller = (request) => spend(() => send(request));
  const create = (input?: JsonObject) => createOwnStream(call, input);
  return {
    ...sessions,
    ...createSessionMaker(source, call, sessions.waits),
    /** Milliseconds since 1970. */
    now,
    /** Fetches media without the key. */
    media: async (address: MediaAddress, reading?: Reading) =>
      withoutCredential(await spend(() => fetchMedia(target, address, note, reading))),
    /** The response to a creation. It sends profiles if the target creates nothing without them. */
    requestStream: (input?: JsonObject) => requestStream(call, input),
    /** A stream of this check's own. @throws Blocked if the target does not create one. */
    createStream: create,
    /**
     * A stream of this check's own with the same name as another stream, or with another name if the target refuses that:
     * the interface does not say that names may be equal.
     */
    createNamesake: async ({ fields: { name } }: CreatedStream) =>
      (await unlessPrevented(create({ name }))) ?? (await create()),
    /** Which values of record the streams of this run showed that were created without it. */
    defaultRecords: creations.defaultRecords,
    /** Whether this run created a stream or session. It writes to no other. */
    owns: target.gate.owns,
    /** The id of a stream of this run without its last characters; none if that may be the id of another stream. */
    shortenedIds: target.gate.shortenedIds,
    /**
     * The id of the stream that the user gave, or else of a new one.
     * @throws Blocked if the target does not create it.
     */
    anyStream: async () => (await sessions.givenStream()) ?? (await create()).id,
    /** A stream as the target shows it; `undefined` if it does not offer this operation (4.4). */
    retrieve: (id: string) => retrieveStream(call, id),
    /** The recorded sessions of a stream (interface 4.3). @throws Blocked if there is no list. */
    listRecorded: (id: string) => listRecorded(call, id),
    /** Notes something about the target that is not judged. */
    addObservation: (text: string): void => void observations.push(text),
  };
}

/** How many exchanges are kept as evidence: the last ones led to the result, and a check may send thousands. */
const evidenceKept = 5;
/** How many request timeouts all requests of one check may take together. */
const timeoutsPerCheck = 30;

/** Limits the total time that one check's requests may take. */
function createBudget(budget: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let spent = 0;
  return async (work) => {
    if (spent > budget) {
      throw new NoResponse(
        `expected the requests of one check to take at most ${budget} ms, got more; if the target needs longer, raise --timeout`,
      );
    }
    const start = performance.now();
    try {
      return await work();
    } finally {
      spent += performance.now() - start;
    }
  };
}

/** The interface does not say that media is public, but the suite never sends the key to a media host. */
function withoutCredential(response: TargetResponse): TargetResponse {
  if (response.status !== 401 && response.status !== 403) return response;
  throw new Blocked(
    `needs media without authentication: ${show(response.label)} asks for a credential (status ${response.status}); allow requests without a key`,
  );
}
