import type { Exchange } from '../model/report.ts';
import type { History } from '../sessions/history.ts';
import type { LiveSwitches } from '../sessions/live-switches.ts';
import { listRecorded } from '../sessions/recorded-list.ts';
import type { Listing, Recording, RecordingKind } from '../sessions/recording.ts';
import {
  createSessionMaker,
  type SessionMaker,
  type SessionOptions,
} from '../sessions/session-maker.ts';
import type { SeveralSessions } from '../sessions/several-sessions.ts';
import type { Shared, SharedSessions } from '../sessions/shared-sessions.ts';
import { createCaller, keepLast } from '../target/creations.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { type JsonObject, show } from '../target/expectations.ts';
import { Blocked, NoResponse } from '../target/failure.ts';
import { type FetchMedia, fetchMedia } from '../target/fetch-media.ts';
import {
  type Caller,
  type CreatedStream,
  createStream,
  requestStream,
  retrieveStream,
} from '../target/operations.ts';

/** What a check gets: requests to the target, streams of its own, and recorded sessions. */
export interface CheckContext
  extends Pick<
    SessionMaker,
    'expectEncoder' | 'listUntilReady' | 'recordNextSession' | 'setRecord'
  > {
  /** Sends a request to the interface. */
  call: Caller;
  /** Fetches media without the key. */
  media: FetchMedia;
  /** The response to a creation. It goes on with profiles if the target creates nothing without them. */
  requestStream(input?: JsonObject): Promise<TargetResponse>;
  /** A stream of this check's own. @throws Blocked if the target does not create one */
  createStream(input?: JsonObject): Promise<CreatedStream>;
  /** The stream that the user gave, or else one of this check's own. @throws Blocked if the target does not create one */
  anyStream(): Promise<{ readonly id: string }>;
  /** Responses to requests that create streams with one name at once. */
  streamsMadeAtOnce(): Promise<readonly TargetResponse[]>;
  /** The stream that the user gave. */
  readonly given: string | undefined;
  /** Whether the suite created a stream or session: to what is not its own, it writes nothing. */
  owns(id: unknown): boolean;
  /** A stream as the target shows it; `undefined` if it does not offer this operation (4.4). */
  retrieve(id: string): Promise<JsonObject | undefined>;
  /** The recorded sessions of a stream (interface 4.3). @throws Blocked if there is no list */
  listRecorded(id: string): Promise<readonly JsonObject[]>;
  /** The recorded sessions of a stream, ready or not. @throws Blocked without a provider */
  listing(): Promise<Listing>;
  /** A ready recording. @throws Blocked if there is none */
  recording(kind: RecordingKind): Promise<Recording>;
  /** Five streams with recording switched at different times. @throws Blocked without an encoder */
  history(): Promise<History>;
  /** Streams that were switched while live. @throws Blocked without a provider that ends sessions at will */
  liveSwitches(): Promise<LiveSwitches>;
  /** The run's first non-empty list of recorded sessions. */
  firstList(): Promise<{ readonly streamId: string; readonly response: TargetResponse }>;
  /** Several sessions of one stream. @throws Blocked without an encoder */
  severalSessions(): Promise<SeveralSessions>;
  /** Notes something about the target that is not judged. */
  observe(text: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What the checks of one run share. */
export interface CheckSource extends SessionOptions {
  readonly sessions: SharedSessions;
  readonly now: () => number;
}

/** The context of one check, which writes its exchanges and observations into the given lists. */
export function createCheckContext(
  source: CheckSource,
  exchanges: Exchange[],
  observations: string[],
): CheckContext {
  const { target, provider, sessions, creations, now } = source;
  const given = provider.name === 'given' ? provider.streamId : undefined;
  const note = keepLast(exchanges);
  const spend = createBudget(requestLimitsPerCheck * target.timeout);
  const send = createCaller(target, creations, note);
  const call: Caller = (request) => spend(() => send(request));
  const share = async <Value>(shared: Promise<Shared<Value>>): Promise<Shared<Value>> => {
    const value = await shared;
    value.exchanges.forEach(note);
    return value;
  };
  const create = async (input?: JsonObject): Promise<CreatedStream> => {
    const stream = await createStream(call, input);
    const { streams } = creations;
    if (streams.indexOf(stream.id) === streams.lastIndexOf(stream.id)) return stream;
    throw new Blocked('a new stream: the target reused the id of another one; see CREATE-6');
  };
  return {
    ...createSessionMaker(source, call),
    now,
    media: async (address, reading) =>
      withoutCredential(await spend(() => fetchMedia(target, address, note, reading))),
    requestStream: (input) => requestStream(call, input),
    createStream: create,
    given,
    owns: target.gate.owns,
    anyStream: async () => (given === undefined ? create() : { id: given }),
    streamsMadeAtOnce: async () => (await share(sessions.streamsMadeAtOnce())).responses,
    retrieve: (id) => retrieveStream(call, id),
    listRecorded: (id) => listRecorded(call, id),
    listing: () => share(sessions.listing()),
    recording: (kind) => share(sessions.recording(kind)),
    history: () => share(sessions.history()),
    liveSwitches: () => share(sessions.liveSwitches()),
    firstList: () => share(sessions.firstList()),
    severalSessions: () => share(sessions.severalSessions()),
    observe: (text) => void observations.push(text),
  };
}

/** The requests of one check may together take as long as this many request timeouts. */
const requestLimitsPerCheck = 30;

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

/** The interface does not say that media is public, but the suite sends the key to no media host. */
function withoutCredential(response: TargetResponse): TargetResponse {
  if (response.status !== 401 && response.status !== 403) return response;
  throw new Blocked(
    `media without authentication: ${show(response.shown)} asks for a credential (status ${response.status}); allow requests without a key`,
  );
}
