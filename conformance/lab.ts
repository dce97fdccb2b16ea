import { type Creations, track } from './creations.ts';
import type { Answer } from './exchange.ts';
import { type JsonObject, readObject, readObjects, show } from './expectations.ts';
import { Blocked, CheckFailure, NoAnswer } from './failure.ts';
import { fetchMedia, type MediaAddress, type Reading } from './fetch-media.ts';
import { parseJson } from './json-text.ts';
import { exchangesOf, recordOrigin } from './origins.ts';
import type { Exchange } from './report/report.ts';
import type { History, Recording, Studio } from './studio.ts';
import { type Call, callTarget, pathSegment, type Target } from './target.ts';

/** A stream that the suite has created on the target. */
export interface CreatedStream {
  readonly id: string;
  readonly streamKey: string | undefined;
  /** All that the target answered. */
  readonly shown: JsonObject;
}

/** What a check works with: the target, its own streams, and the sessions that a provider made. */
export interface Lab {
  /** Sends a request to the interface. */
  call(call: Call): Promise<Answer>;
  /** Fetches media without the key. */
  media(address: MediaAddress, reading?: Reading): Promise<Answer>;
  /** A stream of this check's own. @throws Blocked when the target does not create one. */
  createStream(input?: JsonObject): Promise<CreatedStream>;
  /** The stream that was given, or else one of this check's own. @throws Blocked as above. */
  anyStream(): Promise<{ readonly id: string }>;
  /** Switches recording. @throws Blocked when the target does not. */
  setRecord(id: string, record: boolean): Promise<void>;
  /** A stream as the target shows it; `undefined` where it offers no such operation. */
  retrieve(id: string): Promise<JsonObject | undefined>;
  /** The recorded sessions of a stream (interface 4.3). @throws Blocked when there is no list. */
  listRecorded(id: string): Promise<readonly JsonObject[]>;
  /** A ready recording of a stream with profiles, or without. @throws Blocked without one. */
  recording(kind: 'profiles' | 'plain' | 'any'): Promise<Recording>;
  /** Sessions with recording off, on and off again. @throws Blocked without an encoder. */
  history(): Promise<History>;
  /** Goes live on a stream, and tells whether the session is recorded. @throws Blocked as above. */
  recordsNextSession(stream: CreatedStream): Promise<boolean>;
  /** Goes live on a stream; the first answer of its list that is no empty array, or the last one. */
  listAfterSession(stream: CreatedStream): Promise<Answer>;
  /** Goes live; resolves to what ends the session and tells whether it became ready in time. */
  goLive(stream: CreatedStream): Promise<() => Promise<boolean>>;
  /** Notes something of the target that is not judged. */
  observe(text: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What the labs of one run share. */
export interface LabSource {
  readonly target: Target;
  readonly studio: Studio;
  readonly creations: Creations;
  readonly now: () => number;
  /** Id of a stream that the owner of the target has given. */
  readonly givenStream: string | undefined;
}

/** A lab for one check; it writes its exchanges and observations into the given lists. */
export function createLab(
  { target, studio, creations, now, givenStream }: LabSource,
  exchanges: Exchange[],
  observations: string[],
): Lab {
  const note = (exchange: Exchange): void => keep(exchanges, exchange);
  const spend = createBudget(timeShare * target.timeout);
  const caller = createCaller(target, creations, note);
  const call: Caller = (request) => spend(() => caller(request));
  const borrow = async <Shared extends { readonly exchanges: readonly Exchange[] }>(
    shared: Promise<Shared>,
  ): Promise<Shared> => {
    const value = await shared;
    for (const exchange of value.exchanges) note(exchange);
    return value;
  };
  return {
    now,
    call,
    media: async (address, reading) =>
      open(await spend(() => fetchMedia(target, address, note, reading))),
    createStream: (input) => createStream(call, input),
    anyStream: () =>
      givenStream === undefined ? createStream(call) : Promise.resolve({ id: givenStream }),
    setRecord: (id, record) => setRecord(call, id, record),
    retrieve: (id) => retrieveStream(call, id),
    listRecorded: (id) => listRecorded(call, id),
    recording: (kind) => borrow(studio.recording(kind)),
    history: () => borrow(studio.history()),
    recordsNextSession: (stream) => studio.recordsNextSession(stream),
    listAfterSession: (stream) => studio.listAfterSession(stream, call),
    goLive: (stream) => studio.goLive(stream),
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
      throw new NoAnswer(
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
    const answer = await callTarget(target, request, note);
    const id = readId(answer);
    if (id) creations.streams.push(id);
    return answer;
  };
  return (request) =>
    request.method === 'POST' && request.path === '/stream'
      ? track(creations, create(request))
      : callTarget(target, request, note);
}

function readId({ status, text }: Answer): string | undefined {
  if (status < 200 || status > 299) return undefined;
  try {
    const { id } = parseJson(text) as JsonObject;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The interface does not say that media is public, and the suite sends the key to no media host. */
function open(answer: Answer): Answer {
  if (answer.status !== 401 && answer.status !== 403) return answer;
  throw new Blocked(
    `media that is open: ${show(answer.shown)} asks for a credential (status ${answer.status}); let the suite fetch it without one`,
  );
}

/** Sends one request to the interface. */
export type Caller = (call: Call) => Promise<Answer>;

/** Creates a stream as a precondition of something else. */
export async function createStream(
  call: Caller,
  input: JsonObject = { name: 'conformance' },
): Promise<CreatedStream> {
  const answer = await call({ method: 'POST', path: '/stream', body: input });
  const shown = precondition('creating a stream', () => {
    if (answer.status < 200 || answer.status > 299) {
      throw new CheckFailure(`POST /stream answered with status ${answer.status}`);
    }
    return readObject(answer);
  });
  const { id, streamKey } = shown;
  if (typeof id !== 'string' || id === '') {
    throw new Blocked(`creating a stream: expected an id in the answer, got ${show(id)}`);
  }
  return { id, streamKey: typeof streamKey === 'string' ? streamKey : undefined, shown };
}

/** Switches recording as a precondition of something else. */
export async function setRecord(call: Caller, id: string, record: boolean): Promise<void> {
  const answer = await call({ method: 'PATCH', path: recordPath(id), body: { record } });
  if (answer.status < 200 || answer.status > 299) {
    throw new Blocked(
      `switching recording: expected a status from 200 to 299, got ${answer.status}; see RECORD-1`,
    );
  }
}

/**
 * Path of a stream.
 * @throws Blocked for an id that cannot be put into a path.
 */
export function streamPath(id: unknown): string {
  return `/stream/${pathSegment(id)}`;
}

/** Path of the operation that switches recording (interface 4.2). @throws Blocked as above. */
export function recordPath(id: unknown): string {
  return `${streamPath(id)}/record`;
}

/** The request that switches recording (interface 4.2), or tries to. */
export function recordCall(id: unknown, body: unknown): Call {
  return { method: 'PATCH', path: recordPath(id), body };
}

/** Path of the list of recorded sessions (interface 4.3). @throws Blocked as above. */
export function recordedPath(id: string): string {
  return `${streamPath(id)}/sessions?record=1`;
}

/** Reads a stream where the target offers it; where it does not, it may answer anything (4.4). */
async function retrieveStream(call: Caller, id: string): Promise<JsonObject | undefined> {
  const answer = await call({ method: 'GET', path: streamPath(id) });
  return readId(answer) === id ? readObject(answer) : undefined;
}

/** Reads the recorded sessions of a stream, page by page; of very many, the first. */
export async function listRecorded(call: Caller, id: string): Promise<readonly JsonObject[]> {
  const sessions: JsonObject[] = [];
  const exchanges: Exchange[] = [];
  let path: string | undefined = recordedPath(id);
  let bytes = 0;
  for (let page = 0; path !== undefined && page < mostPages; page++) {
    if (sessions.length >= mostSessions || bytes > mostBytes) break;
    const answer: Answer = await call({ method: 'GET', path });
    const listed = precondition('listing recorded sessions', () => {
      if (answer.status !== 200) throw new CheckFailure(`the list has status ${answer.status}`);
      return readObjects(answer);
    });
    bytes += answer.bytes.length;
    const origin = exchangesOf([answer]);
    exchanges.push(...origin);
    for (const session of listed.slice(0, mostSessions - sessions.length)) {
      sessions.push(recordOrigin(session, origin));
    }
    path = nextPage(answer, id);
  }
  return recordOrigin(sessions, exchanges);
}

const mostPages = 50;
/** Bytes of all pages, after which no further one is read. */
const mostBytes = 2 * 1024 * 1024;
/** Checks compare every session with every other. */
const mostSessions = 1_000;

/** A `Link` to a further page is followed below the same path only, for the key goes with it. */
function nextPage({ headers }: Answer, id: string): string | undefined {
  const link = /<([^<>]+)>\s*;[^,<]*\brel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  if (link === undefined) return undefined;
  const query = link.includes('?') ? link.slice(link.indexOf('?')) : '';
  return query === '' ? undefined : `${streamPath(id)}/sessions${query}`;
}

function precondition<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof CheckFailure) throw new Blocked(`${what}: ${error.message}`);
    throw error;
  }
}
