import type { Exchange } from '../model/report.ts';
import type { History } from '../sessions/history.ts';
import { listRecorded } from '../sessions/recorded-list.ts';
import type { Listing, Recording, RecordingKind } from '../sessions/recording.ts';
import type { SeveralSessions } from '../sessions/several-sessions.ts';
import type { NextSession, Shared, SharedSessions } from '../sessions/shared-sessions.ts';
import { type Creations, track } from '../target/creations.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { type JsonObject, show } from '../target/expectations.ts';
import { Blocked, NoResponse } from '../target/failure.ts';
import { fetchMedia, type MediaAddress, type Reading } from '../target/fetch-media.ts';
import {
  type Caller,
  type CreatedStream,
  createStream,
  readId,
  retrieveStream,
} from '../target/operations.ts';
import { type Call, callTarget, type Target } from '../target/target.ts';

/** What a check works with: the target, its own streams, and the sessions that a provider made. */
export interface CheckContext {
  /** Sends a request to the interface. */
  call(call: Call): Promise<TargetResponse>;
  /** Fetches media without the key. */
  media(address: MediaAddress, reading?: Reading): Promise<TargetResponse>;
  /** A stream of this check's own. @throws Blocked when the target does not create one. */
  createStream(input?: JsonObject): Promise<CreatedStream>;
  /** The stream that was given, or else one of this check's own. @throws Blocked as above. */
  anyStream(): Promise<{ readonly id: string }>;
  /** Answers to requests that create streams of one kind at once. */
  streamsMadeAtOnce(): Promise<readonly TargetResponse[]>;
  /** Switches recording. @throws Blocked when the target does not. */
  setRecord(id: string, record: boolean): Promise<TargetResponse>;
  /** A stream as the target shows it; `undefined` where it offers no such operation. */
  retrieve(id: string): Promise<JsonObject | undefined>;
  /** The recorded sessions of a stream (interface 4.3). @throws Blocked when there is no list. */
  listRecorded(id: string): Promise<readonly JsonObject[]>;
  /** The sessions among which a recording is looked for. @throws Blocked without a provider. */
  listing(): Promise<Listing>;
  /** A ready recording of a stream with profiles, or without. @throws Blocked without one. */
  recording(kind: RecordingKind): Promise<Recording>;
  /** Lists a stream until a session is ready, or the time for it is over. */
  untilReady(id: string): Promise<readonly JsonObject[]>;
  /** Sessions with recording off, on and off again. @throws Blocked without an encoder. */
  history(): Promise<History>;
  /** Goes live on a stream, and tells whether the session is recorded. @throws Blocked as above. */
  recordNextSession(stream: CreatedStream): Promise<NextSession>;
  /** The first answer of the list of a stream with a recorded session that is no empty array. */
  firstList(): Promise<TargetResponse>;
  /** Several sessions of one stream. @throws Blocked without an encoder. */
  severalSessions(): Promise<SeveralSessions>;
  /** Goes live; resolves to what ends the session and tells whether it became ready in time. */
  goLive(stream: CreatedStream): Promise<() => Promise<boolean>>;
  /** Notes something of the target that is not judged. */
  observe(text: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What the labs of one run share. */
export interface CheckSource {
  readonly target: Target;
  readonly sessions: SharedSessions;
  readonly creations: Creations;
  readonly now: () => number;
  /** Id of a stream that the owner of the target has given. */
  readonly givenStream: string | undefined;
}

/** A lab for one check; it writes its exchanges and observations into the given lists. */
export function createCheckContext(
  { target, sessions, creations, now, givenStream }: CheckSource,
  exchanges: Exchange[],
  observations: string[],
): CheckContext {
  const note = (exchange: Exchange): void => keep(exchanges, exchange);
  const spend = createBudget(timeShare * target.timeout);
  const caller = createCaller(target, creations, note);
  const call: Caller = (request) => spend(() => caller(request));
  const borrow = async <Value>(shared: Promise<Shared<Value>>): Promise<Value> => {
    const value = await shared;
    for (const exchange of value.exchanges) note(exchange);
    return value;
  };
  const create = async (input?: JsonObject): Promise<CreatedStream> => {
    const stream = await createStream(call, input);
    if (creations.streams.indexOf(stream.id) === creations.streams.lastIndexOf(stream.id)) {
      return stream;
    }
    throw new Blocked(
      'a stream of its own: the target gave the id of another stream again; see CREATE-6',
    );
  };
  return {
    now,
    call,
    media: async (address, reading) =>
      open(await spend(() => fetchMedia(target, address, note, reading))),
    createStream: create,
    anyStream: () => (givenStream === undefined ? create() : Promise.resolve({ id: givenStream })),
    streamsMadeAtOnce: async () => (await borrow(sessions.streamsMadeAtOnce())).responses,
    setRecord: (id, record) => sessions.setRecord(call, id, record),
    retrieve: (id) => retrieveStream(call, id),
    listRecorded: (id) => listRecorded(call, id),
    listing: () => borrow(sessions.listing()),
    recording: (kind) => borrow(sessions.recording(kind)),
    untilReady: (id) => sessions.untilReady(call, id),
    history: () => borrow(sessions.history()),
    recordNextSession: (stream) => sessions.recordNextSession(call, stream),
    firstList: async () => (await borrow(sessions.firstList())).response,
    severalSessions: () => borrow(sessions.severalSessions()),
    goLive: (stream) => sessions.goLive(stream),
    observe: (text) => void observations.push(text),
  };
}

/** Requests kept with a result: the last ones led to it. */
const evidenceKept = 5;

/** Adds an exchange to those that are kept; a check may send thousands. */
export function keep(exchanges: Exchange[], exchange: Exchange): void {
  exchanges.push(exchange);
  if (exchanges.length > evidenceKept) exchanges.shift();
}

/** Time that the requests of one check may take together, as a multiple of one's time limit. */
const timeShare = 30;

/** Ends a check that a target keeps busy: each request in time, and always one more. */
function createBudget(budget: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let spent = 0;
  return async (work) => {
    if (spent > budget) {
      throw new NoResponse(
        `expected the requests of one check to take at most ${budget} ms, got more; if the target needs longer, raise --timeout`,
      );
    }
    const begin = performance.now();
    try {
      return await work();
    } finally {
      spent += performance.now() - begin;
    }
  };
}

/** Sends requests to the interface, and notes the streams that they create. */
export function createCaller(
  target: Target,
  creations: Creations,
  note: (exchange: Exchange) => void,
): Caller {
  const create: Caller = async (request) => {
    const response = await callTarget(target, request, note);
    const id = readId(response);
    if (id) creations.streams.push(id);
    return response;
  };
  return (request) =>
    request.method === 'POST' && request.path === '/stream'
      ? track(creations, create(request))
      : callTarget(target, request, note);
}

/** The interface does not say that media is public, and the suite sends the key to no media host. */
function open(response: TargetResponse): TargetResponse {
  if (response.status !== 401 && response.status !== 403) return response;
  throw new Blocked(
    `media that is open: ${show(response.shown)} asks for a credential (status ${response.status}); let the suite fetch it without one`,
  );
}
