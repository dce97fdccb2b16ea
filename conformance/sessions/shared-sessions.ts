import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { createCaller } from '../target/creations.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import {
  type CreatedStream,
  createOwnStream,
  get,
  patchRecord,
  recordedSessionsPath,
  requestStream,
} from '../target/operations.ts';
import { until } from '../target/until.ts';
import {
  expectListed,
  isIn,
  isReady,
  listRecorded,
  listUntil,
  pickReady,
} from './recorded-list.ts';
import {
  createSessionMaker,
  howToGoLive,
  type SessionMaker,
  type SessionOptions,
} from './session-maker.ts';

/** Streams and sessions that are made once in a run, as they take long, and shared by the checks. */
export type SharedSessions = ReturnType<typeof createSharedSessions>;

/** Recorded sessions, of a given stream or of the suite's own. */
interface SharedRecordings {
  /** The recorded sessions of a stream, ready or not. @throws Blocked without a provider */
  listing(): Promise<Listing>;
  /** A ready recording of a stream that has profiles, has none, or either. @throws Blocked if there is none */
  recording(kind: RecordingKind): Promise<Listing & { readonly session: JsonObject }>;
  /** The id of the stream that the user gave; `undefined` without one. @throws Blocked for one that is not there */
  givenStream(): Promise<string | undefined>;
  /** The first list, of a stream with a recorded session, that was not an empty array. */
  firstList(): Promise<{ readonly streamId: string; readonly response: TargetResponse }>;
}

type RecordingKind = 'profiles' | 'plain' | 'any';

/** The recorded sessions of a stream, ready or not. */
export interface Listing {
  readonly streamId: string;
  readonly listed: readonly JsonObject[];
  /** As the first list with sessions showed them. */
  readonly seen: readonly JsonObject[];
}

/** Five streams, live with recording switched at different times. */
type History = Awaited<ReturnType<typeof makeHistory>>;

/** A stream that was live. */
export interface StreamHistory {
  readonly stream: CreatedStream;
  /** Its recorded sessions as they were listed. */
  readonly listed: readonly JsonObject[];
  /** Those that no other stream lists. */
  readonly own: readonly JsonObject[];
  /** Its session, if the provider showed it. */
  readonly begun: JsonObject | undefined;
  /** The response to the request that switched its recording, if one did. */
  readonly switch: TargetResponse | undefined;
}

/** Three streams that were live, two of which were switched meanwhile. */
export type LiveSwitches = Awaited<ReturnType<typeof makeLiveSwitches>>;

/** The shared sessions of a run. Each is made when a check first asks for it. */
export function createSharedSessions(options: SessionOptions) {
  const { target, provider, creations, readOnly } = options;
  const maker = createSessionMaker(
    options,
    createCaller(target, creations, () => {}),
  );
  const history = once(() => makeHistory(maker));
  const first = once(() => makeFirstSession(maker));
  const recordings: SharedRecordings =
    provider.name === 'given'
      ? readGiven(maker, provider.streamId, readOnly ? '' : `, or ${howToGoLive}`)
      : {
          givenStream: async () => undefined,
          firstList: first,
          listing: async () => listingOf(await history(), 'any'),
          async recording(kind) {
            const listing = listingOf(await history(), kind);
            return { ...listing, session: pickReady(listing.listed) };
          },
        };
  return {
    ...recordings,
    /** Five streams with recording switched at different times. @throws Blocked without an encoder */
    history,
    /** Streams that were switched while live. @throws Blocked without a provider that ends sessions at will */
    liveSwitches: once(() => makeLiveSwitches(maker)),
    /** Several sessions of one stream. @throws Blocked without an encoder */
    severalSessions: once(async () => makeSeveralSessions(maker, (await first()).stream)),
    /** Responses to requests that create streams with one name at once. */
    streamsMadeAtOnce: once(() => {
      const create = () => requestStream(maker.call);
      return Promise.all(Array.from({ length: createdAtOnce }, create));
    }),
  };
}

/** Streams that are created at once. */
const createdAtOnce = 24;

/** Makes a value at its first call, and returns it at every later one. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Goes live on the five streams, on four at once if the provider can. @throws Blocked */
async function makeHistory(maker: SessionMaker) {
  const { call, broadcast, setRecord, listUntilSeen, listUntilReady } = maker;
  maker.expectEncoder();
  const switched = await createUnrecorded(maker, 'switched', { profiles: recommendedProfiles });
  const plain = await createUnrecorded(maker, 'plain');
  const turnedOnLater = await createUnrecorded(maker, 'turned on later');
  const turnedOff = await createUnrecorded(maker, 'turned off');
  const neverTurnedOn = await createUnrecorded(maker, 'never turned on');
  await setRecord(turnedOff.id, true);
  const off = await setRecord(turnedOff.id, false);
  const on = await setRecord(switched.id, true);
  const beforeOn = await listRecorded(call, switched.id);
  // The one whose recording is waited for is live last.
  const begun = await broadcast([turnedOnLater, turnedOff, neverTurnedOn, switched]);
  const onLater = await setRecord(turnedOnLater.id, true);
  const seen = await listUntilSeen(switched.id);
  const listed = seen.length === 0 ? seen : await listUntilReady(switched.id);
  const offLater = await setRecord(switched.id, false);
  const plainOn = await setRecord(plain.id, true);
  const [begunLater, plainBegun] = await broadcast([switched, plain]);
  // This session is the last to become ready: by then, all that is wrongly recorded is listed too.
  const plainListed = await listUntilReady(plain.id);
  const afterOff = await listRecorded(call, switched.id);
  const onAgain = await setRecord(switched.id, true);
  const next = await maker.recordNextSession(switched);

  // If a list only has other ids than before, no session was added.
  const added = afterOff.length > listed.length ? afterOff : [];
  const lists = {
    switched: listed,
    later: added.filter((session) => !isIn(session, listed)),
    plain: plainListed,
    on: await listRecorded(call, turnedOnLater.id),
    off: await listRecorded(call, turnedOff.id),
    never: await listRecorded(call, neverTurnedOn.id),
  };
  const historyOf = (
    stream: CreatedStream,
    list: keyof typeof lists,
    session: JsonObject | undefined,
    lastSwitch?: TargetResponse,
  ): StreamHistory => ({
    stream,
    listed: lists[list],
    own: lists[list].filter(
      (one) => Object.values(lists).filter((other) => isIn(one, other)).length === 1,
    ),
    begun: session,
    switch: lastSwitch,
  });
  return {
    /** With profiles. Recording on, a session until it is ready, off, another session, on again, a third. */
    switched: historyOf(switched, 'switched', begun[3], on),
    /** Recorded sessions of `switched` before its first session. */
    beforeOn,
    /** Recorded sessions of `switched` as the first list with any showed them. */
    seen,
    /** Recorded sessions of `switched` after recording was turned off. */
    afterOff,
    /** The second session of `switched` alone. */
    turnedOffLater: historyOf(switched, 'later', begunLater, offLater),
    /** The third session of `switched`, after recording was turned on again. */
    onAgain: { ...next, switch: onAgain },
    /** Without profiles. Recording on, a session until it is ready. */
    plain: historyOf(plain, 'plain', plainBegun, plainOn),
    /** A session, then recording on. */
    turnedOnLater: historyOf(turnedOnLater, 'on', begun[0], onLater),
    /** Recording on, then off, then a session. */
    turnedOff: historyOf(turnedOff, 'off', begun[1], off),
    /** A session while recording of another stream was on. */
    neverTurnedOn: historyOf(neverTurnedOn, 'never', begun[2]),
  };
}

/** A new stream may record by default, as the interface leaves that open; this one does not. */
async function createUnrecorded(
  { call, setRecord }: SessionMaker,
  name: string,
  more: JsonObject = {},
): Promise<CreatedStream> {
  const stream = await createOwnStream(call, { name: `conformance, ${name}`, ...more });
  if (stream.shown['record'] !== false) await setRecord(stream.id, false);
  return stream;
}

/** Goes live on two streams with recording on, and one with recording off. @throws Blocked */
async function makeLiveSwitches(maker: SessionMaker) {
  const { call, goLive, setRecord, listUntilReady } = maker;
  maker.expectEncoder();
  const on = await createUnrecorded(maker, 'turned on while live');
  const off = await createUnrecorded(maker, 'turned off while live');
  const unswitched = await createUnrecorded(maker, 'live');
  for (const { id } of [off, unswitched]) await setRecord(id, true);
  const ends: (() => Promise<void>)[] = [];
  for (const stream of [on, off, unswitched]) ends.push(await goLive(stream));
  // Whether a switch is accepted is left open.
  const switchLive = async ({ id }: CreatedStream, record: boolean) => ({
    before: await listRecorded(call, id),
    response: await call(patchRecord(id, { record })),
  });
  const switchedOn = await switchLive(on, true);
  const switchedOff = await switchLive(off, false);
  for (const end of ends) await end();
  // The last to end is the last to become ready: by then, what is wrongly recorded is listed too.
  const listed = await listUntilReady(unswitched.id);
  return {
    on: { ...switchedOn, after: await listRecorded(call, on.id) },
    off: { ...switchedOff, after: await listUntilReady(off.id) },
    /** Recorded sessions of the stream that was not switched: none if a session as short is not kept. */
    unswitched: listed,
  };
}

/** Goes live once, on a new stream. The response is the first list that was not empty, or else the last. */
async function makeFirstSession(maker: SessionMaker) {
  const { call, patience } = maker;
  maker.expectEncoder();
  const stream = await createOwnStream(call, { name: 'conformance, several' });
  await maker.setRecord(stream.id, true);
  await maker.broadcast([stream]);
  const list = () => call(get(recordedSessionsPath(stream.id)));
  const found = await until(patience, async () => {
    const response = await list();
    return response.text.trim() === '[]' ? undefined : response;
  });
  return { stream, streamId: stream.id, response: found ?? (await list()) };
}

const mostSessions = 4;

/**
 * Goes live on the stream again, each time when all sessions before are ready, and so have ended. Resolves to
 * how many were made, fewer if one was not ready in time, and the recorded sessions that are listed then.
 */
async function makeSeveralSessions(
  { call, broadcast, patience }: SessionMaker,
  stream: CreatedStream,
) {
  const hasAll = (listed: readonly JsonObject[], count: number): boolean =>
    new Set(listed.map(({ id }) => id)).size >= count && listed.every(isReady);
  for (let made = 1; ; made++) {
    const listed = await listUntil(call, stream.id, patience, (list) => hasAll(list, made));
    if (made === mostSessions || !hasAll(listed, made)) return { made, listed };
    await broadcast([stream]);
  }
}

/** The sessions that only this stream lists. @throws Blocked if there is none */
export function ownSessions({ own, listed }: StreamHistory): readonly JsonObject[] {
  expectListed(listed);
  if (own.length > 0) return own;
  throw new Blocked("a list of one stream's own sessions: it has those of others; see LIST-4");
}

function listingOf({ switched, plain, seen }: History, kind: RecordingKind): Listing {
  const history = kind === 'plain' ? plain : switched;
  const { stream, listed } = history;
  if (kind === 'plain' && stream.hasProfiles) {
    throw new Blocked('a stream without profiles: the target creates none; see CREATE-13');
  }
  if (listed.length > 0) ownSessions(history);
  return { streamId: stream.id, listed, seen: kind === 'plain' ? listed : seen };
}

/** @param otherwise what a user can do instead of giving another stream */
function readGiven(maker: SessionMaker, streamId: string, otherwise: string): SharedRecordings {
  const refuse = (got: string): never => {
    throw new Blocked(
      `a recorded session: the given stream ${show(streamId)} ${got}; give --recorded-stream one with a recorded session`,
    );
  };
  const askOnce = once(async () => {
    const response = await maker.call(get(recordedSessionsPath(streamId)));
    return response.status === 404 ? refuse('was not found (status 404)') : response;
  });
  const firstList = async () => {
    const response = await askOnce();
    if (response.text.trim() === '[]') refuse('has no recorded session');
    return { streamId, response };
  };
  const listing = once(async () => {
    await firstList();
    const seen = await maker.listUntilSeen(streamId);
    return { streamId, seen, listed: await maker.listUntilReady(streamId) };
  });
  return {
    givenStream: async () => {
      await askOnce();
      return streamId;
    },
    firstList,
    listing,
    async recording(kind) {
      const given = await listing();
      const ready = pickReady(given.listed);
      if (kind === 'any') return { ...given, session: ready };
      const session = given.listed.find(
        (one) => isReady(one) && hasProfiles(one) === (kind === 'profiles'),
      );
      if (session !== undefined) return { ...given, session };
      throw new Blocked(
        `a recorded session ${kind === 'profiles' ? 'with' : 'without'} profiles: the given stream ${streamId} has none; give a stream that has one${otherwise}`,
      );
    },
  };
}

function hasProfiles({ profiles }: JsonObject): boolean {
  return Array.isArray(profiles) && profiles.length > 0;
}
