import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { type Creations, createCaller } from '../target/creations.ts';
import { type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import {
  type Caller,
  type CreatedStream,
  createOwnStream,
  get,
  patchRecord,
  recordedSessionsPath,
  requestStream,
  setOwnRecord,
} from '../target/operations.ts';
import type { Target } from '../target/target.ts';
import type { Encoder, Provider } from './provider.ts';
import { isIn, isReady, listRecorded, listUntil, pickReady } from './recorded-list.ts';

/** Streams and sessions that are made once in a run, as they take long, and shared by the checks. */
export type SharedSessions = ReturnType<typeof createSharedSessions>;

/** Recorded sessions, of a given stream or of the suite's own. */
type SharedRecordings = ReturnType<typeof readGiven>;

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
  const recordings: SharedRecordings =
    provider.name === 'given'
      ? readGiven(maker, provider.streamId, readOnly ? '' : `, or ${howToGoLive}`)
      : {
          givenStream: async () => undefined,
          listing: async () => listingOf(await history(), 'any'),
          recording: async (kind) => {
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
    severalSessions: once(() => makeSeveralSessions(maker)),
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
  await setRecord(plain.id, true);
  await broadcast([switched, plain]);
  // This session is the last to become ready: by then, all that is wrongly recorded is listed too.
  const plainListed = await listUntilReady(plain.id);
  const afterOff = await listRecorded(call, switched.id);
  const onAgain = await setRecord(switched.id, true);
  const next = await maker.recordNextSession(switched);
  // If a list only has other ids than before, no session was added.
  const added = afterOff.length > listed.length ? afterOff : [];
  return {
    /** With profiles. Recording on, a session until it is ready, off, another session, on again, a third. */
    switched: { stream: switched, listed, seen, begun: begun.at(-1), switch: on },
    /** The sessions that began at once on four streams, as far as the provider showed them. */
    begunAtOnce: begun.filter((session) => session !== undefined),
    /** Recorded sessions of `switched` before its first session. */
    beforeOn,
    /** Recorded sessions of `switched` after recording was turned off. */
    afterOff,
    /** The second session of `switched` alone. */
    turnedOffLater: {
      listed: added.filter((session) => !isIn(session, listed)),
      switch: offLater,
    },
    /** The third session of `switched`, after recording was turned on again. */
    onAgain: { ...next, switch: onAgain },
    /** Without profiles. Recording on, a session until it is ready. */
    plain: { stream: plain, listed: plainListed, seen: plainListed },
    /** A session, then recording on. */
    turnedOnLater: { listed: await listRecorded(call, turnedOnLater.id), switch: onLater },
    /** Recording on, then off, then a session. */
    turnedOff: { listed: await listRecorded(call, turnedOff.id), switch: off },
    /** A session while recording of another stream was on. */
    neverTurnedOn: { listed: await listRecorded(call, neverTurnedOn.id), switch: undefined },
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

const maxSessions = 4;

/**
 * Goes live on one stream several times, each time when all sessions before are ready, and so have ended. Resolves
 * to how many were made, fewer if one was not ready in time, and the recorded sessions that are listed then.
 */
async function makeSeveralSessions(maker: SessionMaker) {
  const { call, patience, broadcast } = maker;
  maker.expectEncoder();
  const stream = await createOwnStream(call, { name: 'conformance, several' });
  await maker.setRecord(stream.id, true);
  const hasAll = (listed: readonly JsonObject[], count: number): boolean =>
    new Set(listed.map(({ id }) => id)).size >= count && listed.every(isReady);
  for (let made = 1; ; made++) {
    await broadcast([stream]);
    const listed = await listUntil(call, stream.id, patience, (list) => hasAll(list, made));
    if (made === maxSessions || !hasAll(listed, made)) return { made, listed };
  }
}

function listingOf({ switched, plain }: History, kind: RecordingKind): Listing {
  const { stream, listed, seen } = kind === 'plain' ? plain : switched;
  if (kind === 'plain' && stream.hasProfiles) {
    throw new Blocked('a stream without profiles: the target creates none; see CREATE-13');
  }
  return { streamId: stream.id, listed, seen };
}

/** @param otherwise what a user can do instead of giving another stream */
function readGiven(maker: SessionMaker, streamId: string, otherwise: string) {
  const first = once(async () => {
    const response = await maker.call(get(recordedSessionsPath(streamId)));
    return response.status === 404 ? refuse('was not found (status 404)') : response;
  });
  const refuse = (got: string): never => {
    throw new Blocked(
      `a recorded session: the given stream ${show(streamId)} ${got}; give --recorded-stream one with a recorded session`,
    );
  };
  const listing = once(async (): Promise<Listing> => {
    if ((await first()).text.trim() === '[]') refuse('has no recorded session');
    const seen = await maker.listUntilSeen(streamId);
    return { streamId, seen, listed: await maker.listUntilReady(streamId) };
  });
  return {
    /** The id of the stream that the user gave; `undefined` without one. @throws Blocked for one that is not there */
    async givenStream(): Promise<string | undefined> {
      await first();
      return streamId;
    },
    /** The recorded sessions of a stream, ready or not. @throws Blocked without a provider */
    listing,
    /** A ready recording of a stream that has profiles, has none, or either. @throws Blocked if there is none */
    async recording(kind: RecordingKind): Promise<Listing & { readonly session: JsonObject }> {
      const given = await listing();
      const session = given.listed.find(
        (one) => isReady(one) && (kind === 'any' || hasProfiles(one) === (kind === 'profiles')),
      );
      pickReady(given.listed);
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

/** What the sessions of a run are made with. */
export interface SessionOptions {
  readonly target: Target;
  readonly provider: Provider;
  /** Milliseconds that a recording may take to become ready. */
  readonly patience: number;
  readonly creations: Creations;
  readonly readOnly: boolean;
}

/** Goes live on streams of the suite, and waits for their recordings. */
type SessionMaker = ReturnType<typeof createSessionMaker>;

/** Seconds that each session of the suite lasts. */
const broadcastSeconds = 8;

/** What a user can do so that the suite can make sessions. */
const howToGoLive = 'let the suite go live: add --control-url, --ingest-command or --manual';

/** Makes sessions with the requests that `call` sends. */
export function createSessionMaker(options: SessionOptions, call: Caller) {
  const { patience, creations } = options;
  /**
   * Goes live on streams, on all at once if the provider can. Resolves to the sessions, those that
   * the provider shows. @throws Blocked without an encoder
   */
  const broadcast = async (
    streams: readonly CreatedStream[],
  ): Promise<readonly (JsonObject | undefined)[]> => {
    const encoder = encoderOf(options);
    for (const { id } of streams) creations.live.add(id);
    return Promise.all(streams.map((stream) => encoder.broadcast(stream, broadcastSeconds)));
  };
  return {
    call,
    patience,
    broadcast,
    /** Expects a provider that can go live, before streams are created for it. @throws Blocked */
    expectEncoder: (): void => void encoderOf(options),
    /** Goes live; resolves to a function that ends the session. @throws Blocked if none can be ended at will */
    async goLive(stream: CreatedStream): Promise<() => Promise<void>> {
      const encoder = encoderOf(options);
      creations.live.add(stream.id);
      const stop = await encoder.goLive?.(stream);
      if (stop !== undefined) return stop;
      throw new Blocked('a session that can be ended at will: add --control-url');
    },
    /** Switches recording; after the stream was live, it tries again while the target refuses. */
    setRecord: (id: string, record: boolean) =>
      setOwnRecord(call, id, record, creations.live.has(id) ? patience : 0),
    /**
     * Goes live on a stream, and waits until the session is listed or the time is over. Resolves to whether
     * it was recorded, the list that shows it, and the session, if the provider showed it.
     */
    async recordNextSession(stream: CreatedStream) {
      const before = (await listRecorded(call, stream.id)).length;
      const [begun] = await broadcast([stream]);
      const listed = await listUntil(call, stream.id, patience, (list) => list.length > before);
      return { recorded: listed.length > before, listed, begun };
    },
    /** Lists a stream until it has sessions or the time is over. */
    listUntilSeen: (id: string) => listUntil(call, id, patience, (listed) => listed.length > 0),
    /** Lists a stream until one of its sessions is ready or the time is over. */
    listUntilReady: (id: string) => listUntil(call, id, patience, (listed) => listed.some(isReady)),
  };
}

function encoderOf({ provider, readOnly }: SessionOptions): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(
    readOnly
      ? 'a recorded session: add --recorded-stream with the id of a stream that has one'
      : `sessions of its own: ${howToGoLive}`,
  );
}
