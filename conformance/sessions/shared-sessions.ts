import { isObject } from '../../interface/json.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Connection } from '../../target/connection.ts';
import { broadcastSeconds } from '../../target/providers/provider.ts';
import { jsonOf } from '../../target/requests/bounded-json.ts';
import { expectDistinct } from '../../target/requests/expectations.ts';
import {
  Blocked,
  exchangesOf,
  rememberExchanges,
  unlessPrevented,
} from '../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
import { markedName } from '../../target/requests/run-names.ts';
import { createCaller } from '../../target/streams/creations.ts';
import { isIn, isReady, listRecorded, pickReady } from '../../target/streams/recorded-list.ts';
import {
  type Caller,
  type CreatedStream,
  createOwnStream,
  get,
  patchRecord,
  recordedSessionsPath,
  requestStream,
  retrieveStream,
} from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import { createSessionMaker, type SessionMaker } from './session-maker.ts';
import { startWaits } from './waits.ts';

/** Streams and sessions that are made once in a run and shared by the checks, as making them takes long. */
export type SharedSessions = ReturnType<typeof createSharedSessions>;

type RecordingKind = 'profiles' | 'plain' | 'any';

/** The recorded sessions of a stream, ready or not. */
export interface Listing {
  readonly streamId: string;
  readonly sessions: readonly JsonObject[];
  /** The first list that had any. */
  readonly firstSessions: readonly JsonObject[];
}

/** Six streams that were live, with recording switched at different times. */
export type History = Awaited<ReturnType<typeof makeHistory>>;

/** Three streams that were live, two of which were switched while live. */
export type LiveSwitches = Awaited<ReturnType<typeof makeLiveSwitches>>;

/** The shared sessions of a run. Each is made when a check first asks for it. */
export function createSharedSessions(connection: Connection) {
  const { target, provider, creations } = connection;
  const lists = watchLists(createCaller(target, creations));
  const waits = startWaits(connection.patience);
  const maker = createSessionMaker(connection, lists.call, waits);
  const givenStream = provider.name === 'given' ? readGiven(maker, provider.streamId) : undefined;
  const history = once(() => makeHistory(maker));
  const listing = async (kind: RecordingKind = 'any'): Promise<Listing> =>
    givenStream === undefined ? listingOf(await history(), kind) : givenStream.listing();
  return {
    /** How long all checks wait for recordings. */
    waits,
    /** The id of the stream that the user gave; `undefined` without one. @throws Blocked if it does not exist. */
    givenStream: async (): Promise<string | undefined> => givenStream?.stream(),
    /** The recorded sessions of a stream, ready or not. @throws Blocked without a provider. */
    listing,
    /** A ready recording of a stream with profiles, without profiles, or either. @throws Blocked if there is none. */
    async recording(kind: RecordingKind): Promise<Listing & { readonly session: JsonObject }> {
      const recordings = await listing(kind);
      const ready = pickReady(recordings.sessions);
      if (givenStream === undefined || kind === 'any') return { ...recordings, session: ready };
      const session = recordings.sessions.find(
        (session) => isReady(session) && hasProfiles(session) === (kind === 'profiles'),
      );
      if (session !== undefined) return { ...recordings, session };
      const which = `${kind === 'profiles' ? 'with' : 'without'} profiles`;
      throw new Blocked(
        `needs a recorded session ${which}: the given stream ${recordings.streamId} has none; an encoder makes both kinds (--control-url, --ingest-command or --manual)`,
      );
    },
    /** Expects that every list so far named each session once, whether it was live, had ended or was ready. */
    expectEachListedOnce: lists.expectEachOnce,
    /** The sessions that are not recorded in the first list that had any, whatever was live then. */
    firstUnrecordedListed: lists.firstUnrecorded,
    /** The first session of which a list so far has shown a field differently than the list that first showed it as ready. */
    changedSinceReady: lists.changedSinceReady,
    /** Six streams with recording switched at different times. @throws Blocked without an encoder. */
    history,
    /** Streams that were switched while live. @throws Blocked if the provider cannot end a session at any time. */
    liveSwitches: once(() => makeLiveSwitches(connection, maker)),
    /** Requests to switch recording of a session by its own id. @throws Blocked without an encoder. */
    sessionSwitches: once(async () => switchSession(connection, maker, await history())),
    /** The next session of a stream whose recording was turned on twice. @throws Blocked without an encoder. */
    turnedOnTwice: once(async () => {
      maker.expectEncoder();
      const stream = await createOwnStream(maker.call, { name: 'twice' });
      await maker.setRecord(stream.id, true);
      const lastSwitch = await maker.setRecord(stream.id, true);
      return { ...(await maker.recordNextSession(stream)), switch: lastSwitch };
    }),
    /** Several sessions of one stream. @throws Blocked without an encoder. */
    severalSessions: once(() => makeSeveralSessions(maker)),
    /**
     * The responses to simultaneous requests that create streams, half of them with one name: the interface does not say
     * that names may be equal, so these may be refused.
     */
    simultaneousCreations: once(() => {
      const sharedName = markedName('check');
      const create = (_: unknown, index: number) =>
        requestStream(maker.call, { name: index % 2 === 0 ? 'check' : sharedName });
      return Promise.all(Array.from({ length: createdAtOnce }, create));
    }),
  };
}

/** The path of a list of the sessions of one stream, or of one of its pages. */
const listPath = /^\/stream\/[^/]+\/sessions\b/;

/**
 * Sends requests, and remembers the first list that has a session twice, the first that has one that is not recorded, as
 * every list that is requested has record=1, and the first session that changes although it was ready.
 */
function watchLists(send: Caller) {
  let repeating: readonly JsonObject[] = [];
  let unrecorded: readonly JsonObject[] = [];
  const ready = watchReady();
  const call: Caller = async (request) => {
    const response = await send(request);
    if (request.method === 'GET' && listPath.test(request.path) && isSuccess(response)) {
      const sessions = [jsonOf(response)]
        .flat()
        .filter(isObject)
        .map((session) => rememberExchanges(session, exchangesOf([response])));
      const { size } = new Set(sessions.map(({ id }) => id));
      if (size < sessions.length && repeating.length === 0) repeating = sessions;
      if (unrecorded.length === 0) unrecorded = sessions.filter(({ record }) => record === false);
      sessions.forEach(ready.see);
    }
    return response;
  };
  return {
    call,
    expectEachOnce: () => expectDistinct(repeating, 'id', 'the sessions of a list'),
    firstUnrecorded: () => unrecorded,
    changedSinceReady: ready.changed,
  };
}

/** Compares sessions with what they were when a list first showed them as ready. */
function watchReady() {
  const readyById = new Map<string, JsonObject>();
  const changed = new Map<
    'recordingStatus' | 'createdAt',
    { ready: JsonObject; later: JsonObject }
  >();
  return {
    see(later: JsonObject): void {
      const { id } = later;
      if (typeof id !== 'string') return;
      const ready = readyById.get(id);
      if (ready === undefined) {
        if (isReady(later)) readyById.set(id, later);
        return;
      }
      for (const field of ['recordingStatus', 'createdAt'] as const) {
        if (later[field] !== ready[field] && !changed.has(field))
          changed.set(field, { ready, later });
      }
    },
    /** The first session whose field a list showed differently, as it was when it was first ready, and as it was then. */
    changed: (field: 'recordingStatus' | 'createdAt') => changed.get(field),
  };
}

/** How many streams are created at the same time. */
const createdAtOnce = 24;

/** Makes a value at the first call, and returns the same value at every later call. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Goes live on six streams, on four at once if the provider can. @throws Blocked without an encoder. */
async function makeHistory(maker: SessionMaker) {
  const { call, broadcast, setRecord, listUntilAny, listUntilReady } = maker;
  maker.expectEncoder();
  const switched = await createUnrecorded(maker, 'again', { profiles: recommendedProfiles });
  const plain = await createUnrecorded(maker, 'plain');
  const turnedOnLater = await createUnrecorded(maker, 'late');
  const turnedOff = await createUnrecorded(maker, 'off');
  const neverTurnedOn = await createUnrecorded(maker, 'never');
  const turnedOffAtOnce = await createUnrecorded(maker, 'ended');
  await setRecord(turnedOff.id, true);
  const off = await setRecord(turnedOff.id, false);
  const on = await setRecord(switched.id, true);
  const beforeOn = await listRecorded(call, switched.id);
  // The stream whose recording is awaited goes live last.
  const begunSessions = await broadcast([turnedOnLater, turnedOff, neverTurnedOn, switched]);
  const onLater = await setRecord(turnedOnLater.id, true);
  const firstSessions = await listUntilAny(switched.id);
  const sessions = firstSessions.length === 0 ? firstSessions : await listUntilReady(switched.id);
  const offLater = await setRecord(switched.id, false);
  await setRecord(turnedOffAtOnce.id, true);
  await setRecord(plain.id, true);
  await broadcast([switched, turnedOffAtOnce, plain]);
  const offAtOnce = await setRecord(turnedOffAtOnce.id, false);
  // This session is the last to become ready: by then, sessions that are wrongly recorded are listed too.
  const plainSessions = await listUntilReady(plain.id);
  const afterOff = await listRecorded(call, switched.id);
  const onAgain = await setRecord(switched.id, true);
  const next = await maker.recordNextSession(switched);
  const hasReady = plainSessions.some(isReady);
  // If the list is not longer, sessions only have new ids, and none was added.
  const added = afterOff.length > sessions.length ? afterOff : [];
  return {
    /** With profiles. Recording on, a session until it is ready, off, a second session, on again, a third. */
    switched: {
      stream: switched,
      sessions,
      firstSessions,
      begunSession: begunSessions.at(-1),
      switch: on,
    },
    /** Of the sessions that began at once on four streams, those that the provider knows. */
    simultaneousSessions: begunSessions.filter((session) => session !== undefined),
    /** Recorded sessions of `switched` before its first session. */
    beforeOn,
    /** Recorded sessions of `switched` after recording was turned off. */
    afterOff,
    /** The second session of `switched` alone. */
    turnedOffLater: {
      sessions: added.filter((session) => !isIn(session, sessions)),
      switch: offLater,
    },
    /** The third session of `switched`, after recording was turned on again. */
    onAgain: { ...next, switch: onAgain },
    /** Without profiles. Recording on, a session until it is ready. */
    plain: { stream: plain, sessions: plainSessions, firstSessions: plainSessions },
    /** A session, then recording on. */
    turnedOnLater: { sessions: await listRecorded(call, turnedOnLater.id), switch: onLater },
    /** Recording on, then off, then a session. */
    turnedOff: { sessions: await listRecorded(call, turnedOff.id), switch: off },
    /** Recording on, a session, and off as soon as it has ended. A session of `plain` ended at the same time. */
    turnedOffAtOnce: {
      sessions: await maker.list(turnedOffAtOnce.id, (listed) => !hasReady || listed.some(isReady)),
      switch: offAtOnce,
    },
    /** A session while recording of another stream was on. */
    neverTurnedOn: {
      stream: neverTurnedOn,
      sessions: await listRecorded(call, neverTurnedOn.id),
      begunSession: begunSessions[2],
      switch: undefined,
    },
  };
}

/** Creates a stream and turns its recording off, as the interface does not say whether new streams record. */
async function createUnrecorded(
  { call, setRecord }: SessionMaker,
  name: string,
  more: JsonObject = {},
): Promise<CreatedStream> {
  const stream = await createOwnStream(call, { name, ...more });
  if (stream.fields['record'] !== false) await setRecord(stream.id, false);
  return stream;
}

/**
 * Goes live on two streams with recording on, and one with recording off.
 * @throws Blocked if that is not possible.
 */
async function makeLiveSwitches(connection: Connection, maker: SessionMaker) {
  const { call, goLive, setRecord, listUntilReady } = maker;
  maker.expectEncoder();
  const on = await createUnrecorded(maker, 'up');
  const off = await createUnrecorded(maker, 'down');
  const unswitched = await createUnrecorded(maker, 'live');
  for (const { id } of [off, unswitched]) await setRecord(id, true);
  // The interface does not say whether a switch is accepted while live.
  const switchLive = async (stream: CreatedStream, record: boolean) => ({
    stream,
    before: await listRecorded(call, stream.id),
    response: await call(patchRecord(stream.id, { record })),
  });
  const [switchedOn, switchedOff, sessionSwitches] = await whileLive(
    goLive,
    [unswitched, off, on],
    async () =>
      [
        await switchLive(on, true),
        await switchLive(off, false),
        await switchLiveSession(connection, call, unswitched),
      ] as const,
  );
  // The last to end is the last to become ready: by then, sessions that are wrongly recorded are listed too. If it does not
  // come, the target keeps no sessions that short.
  const unswitchedSessions = await listUntilReady(unswitched.id);
  return {
    on: { ...switchedOn, after: await listRecorded(call, on.id) },
    off: {
      ...switchedOff,
      after: await (unswitchedSessions.length > 0
        ? listUntilReady(off.id)
        : listRecorded(call, off.id)),
    },
    /** A request to turn recording of its session off by the id, while live; none if that id was not known then. */
    sessionSwitches,
    /** Recorded sessions of the stream that was not switched; none if the target does not keep sessions that short. */
    unswitched: unswitchedSessions,
  };
}

/** Works while streams are live, and ends their sessions even if something fails: that of the first stream last. */
async function whileLive<Value>(
  goLive: SessionMaker['goLive'],
  [stream, ...laterStreams]: readonly CreatedStream[],
  work: () => Promise<Value>,
): Promise<Value> {
  if (stream === undefined) return work();
  const end = await goLive(stream);
  try {
    return await whileLive(goLive, laterStreams, work);
  } finally {
    await end();
  }
}

/**
 * Asks to switch recording of a session by its own id, which a target must refuse, each time to the opposite of what was
 * set for its stream: a target may pass it on. Resolves to what the target showed of the session and its stream before
 * and after. No other check asks for the list of this stream again: a target that switches the session after all may not
 * list it any more.
 * @throws Blocked unless the target has shown that the session is one of the suite's own
 */
async function switchSession(
  { target }: Connection,
  { call, setRecord }: SessionMaker,
  history: History,
) {
  const { stream, sessions } = history.plain;
  const { id } = pickReady(sessions);
  if (!target.gate.owns(id)) {
    throw new Blocked("needs a session with its own stream's id as parentId; see LIST-2");
  }
  const ask = async (record: boolean) => {
    await setRecord(stream.id, !record);
    const switched = await askToSwitch(call, stream.id, { kind: 'a session', id, record });
    if (switched === undefined) {
      throw new Blocked('needs a session that stays in the list; see LIST-5 and RECORD-7');
    }
    return switched;
  };
  const switches = [await ask(true), await ask(false)];
  return { stream, switches, unrecorded: await switchUnrecorded(target.gate.owns, call, history) };
}

/** A request to switch recording of a session by its own id. */
interface SessionRequest {
  /** What it is, in words. */
  readonly kind: 'a session' | 'a live session' | 'a session that is not recorded';
  readonly id: unknown;
  readonly record: boolean;
}

/**
 * Asks to switch recording of a session, and shows it in the list and its stream before and after. Asks nothing, and
 * resolves to `undefined`, if a session is not in the list, or one that is not recorded is.
 */
async function askToSwitch(call: Caller, streamId: string, { kind, id, record }: SessionRequest) {
  const look = async () => ({
    stream: await retrieveStream(call, streamId),
    session: (await listRecorded(call, streamId)).find((session) => session['id'] === id),
  });
  const before = await look();
  const isListed = before.session !== undefined;
  if (isListed === (kind === 'a session that is not recorded')) return undefined;
  const response = await call(patchRecord(id, { record }));
  const after = await look();
  // If the target did it after all, it is taken back, as other requirements judge the recording.
  if (after.session?.['record'] !== before.session?.['record']) {
    await call(patchRecord(id, { record: !record }));
  }
  return { kind, record, before, response, after };
}

/** Asks to turn recording of a live session off, whose stream has it on; asks nothing if no list shows it while live. */
async function switchLiveSession(
  { target }: Connection,
  call: Caller,
  { id: streamId }: CreatedStream,
) {
  const [session] = await listRecorded(call, streamId);
  if (session === undefined || !target.gate.owns(session['id'])) return [];
  const { id } = session;
  return [await askToSwitch(call, streamId, { kind: 'a live session', id, record: false })].filter(
    (switched) => switched !== undefined,
  );
}

/** Asks to turn recording of an ended session on that was never recorded; asks nothing if the provider does not show it. */
async function switchUnrecorded(
  owns: (id: unknown) => boolean,
  call: Caller,
  { switched, neverTurnedOn }: History,
) {
  const { stream, begunSession } = neverTurnedOn;
  // What the provider shows may have other ids than those of the interface.
  const hasIds =
    switched.begunSession !== undefined && isIn(switched.begunSession, switched.sessions);
  if (!hasIds || begunSession === undefined || !owns(begunSession['id'])) return [];
  const { id } = begunSession;
  const request = { kind: 'a session that is not recorded', id, record: true } as const;
  return [await askToSwitch(call, stream.id, request)].filter((asked) => asked !== undefined);
}

/** How many sessions one stream gets. */
const sessionsOfOneStream = 4;

/** How many seconds longer each of them lasts than the one before, so that no two have the same duration. */
const secondsMore = 3;

/** Ordinary profiles with the sizes of recommended ones, but other names, numbers and order. */
const otherProfiles = [
  { name: 'mobile', bitrate: 400_000, fps: 25, width: 640, height: 360 },
  { name: 'tv', bitrate: 3_000_000, fps: 25, width: 1280, height: 720 },
];

/** Profiles that a target may refuse: a bitrate that is not round, and a recommended name with other values. */
const refusableProfiles = [
  { name: 'mobile', bitrate: 1_234_567, fps: 25, width: 640, height: 360 },
  { name: '720p', bitrate: 3_000_000, fps: 25, width: 1280, height: 720 },
];

/** What a target may refuse in a creation with profiles that are not the recommended ones, the most unusual first. */
const unusualCreations = [refusableProfiles, otherProfiles].flatMap((profiles) => [
  { profiles, record: true },
  { profiles },
]);

/**
 * Creates a stream with profiles that are not the recommended ones, and with recording on: the most unusual that the target
 * accepts, or a stream with a name alone.
 */
async function createUnusual(call: Caller, name: string): Promise<CreatedStream> {
  for (const input of unusualCreations) {
    const stream = await unlessPrevented(createOwnStream(call, { name, ...input }));
    if (stream !== undefined) return stream;
  }
  return createOwnStream(call, { name });
}

/**
 * Goes live on one stream several times, each time after all earlier sessions are ready, and so have ended; but if the
 * provider shows which sessions it begins, the third begins at once after the second.
 */
async function makeSeveralSessions(maker: SessionMaker) {
  const { call, broadcast, list, setRecord } = maker;
  maker.expectEncoder();
  const stream = await createUnusual(call, 'more');
  const begunSessions: (JsonObject | undefined)[] = [];
  const begin = async (): Promise<void> => {
    const seconds = broadcastSeconds + begunSessions.length * secondsMore;
    begunSessions.push(...(await broadcast([stream], seconds)));
  };
  // A target may continue a session instead of beginning another one.
  const countBegun = (): number =>
    new Set(begunSessions.map((session, index) => session?.['id'] ?? index)).size;
  const hasAll = (sessions: readonly JsonObject[]): boolean =>
    new Set(sessions.map(({ id }) => id)).size >= countBegun() && sessions.every(isReady);

  const isOnAsCreated = stream.fields['record'] === true;
  if (!isOnAsCreated) await setRecord(stream.id, true);
  await begin();
  const firstSessions = await list(stream.id, hasAll);
  let sessions = firstSessions;
  if (isOnAsCreated && sessions.length === 0) {
    // RECORD-28 judges that, and all others need sessions.
    begunSessions.pop();
    await setRecord(stream.id, true);
    await begin();
    sessions = await list(stream.id, hasAll);
  }
  let isLastHurried = false;
  while (hasAll(sessions) && begunSessions.length < sessionsOfOneStream) {
    await begin();
    const [begun] = begunSessions;
    const mayHurry = begunSessions.length === 2 && begun !== undefined && isIn(begun, sessions);
    // Whether a stream can go live again before its recording is ready is left open.
    const isHurried = mayHurry && (await unlessPrevented(begin().then(() => true))) === true;
    isLastHurried = isHurried && begunSessions.at(-1)?.['id'] !== undefined;
    // What the provider does not show may be the session before it, continued.
    if (isHurried && !isLastHurried) begunSessions.pop();
    sessions = await list(stream.id, hasAll);
    // A target may make one recording after the other.
    if (isLastHurried && !hasAll(sessions)) sessions = await list(stream.id, hasAll);
  }
  return {
    stream,
    /** The recorded sessions of the first list, before any request switched recording if the stream was created with it on. */
    firstSessions,
    /** How many sessions were made; fewer if one was not ready in time. */
    sessionCount: countBegun(),
    /** Whether the last of them began before the recording of the one before it was ready. */
    isLastHurried,
    /** The recorded sessions of the last list. */
    sessions,
  };
}

function listingOf({ switched, plain }: History, kind: RecordingKind): Listing {
  const { stream, sessions, firstSessions } = kind === 'plain' ? plain : switched;
  if (kind === 'plain' && sendsProfiles(stream)) {
    throw new Blocked('needs a stream without profiles: the target creates none; see CREATE-13');
  }
  return { streamId: stream.id, sessions, firstSessions };
}

/** The stream that the user gave, and its recorded sessions. Both are read once. @throws Blocked if it has none. */
function readGiven({ call, listUntilAny, listUntilReady }: SessionMaker, streamId: string) {
  const refuse = (problem: string): never => {
    throw new Blocked(
      `needs a recorded session: the given stream ${show(streamId)} ${problem}; choose another with --recorded-stream`,
    );
  };
  const first = once(async () => {
    const response = await call(get(recordedSessionsPath(streamId)));
    return response.status === 404 ? refuse('was not found (status 404)') : response;
  });
  return {
    async stream(): Promise<string> {
      await first();
      return streamId;
    },
    listing: once(async (): Promise<Listing> => {
      if ((await first()).text.trim() === '[]') refuse('has no recorded session');
      const firstSessions = await listUntilAny(streamId);
      return { streamId, firstSessions, sessions: await listUntilReady(streamId) };
    }),
  };
}

/** Whether a stream of the suite was created with profiles. */
export function sendsProfiles({ sentProfiles = [] }: CreatedStream): boolean {
  return sentProfiles.length > 0;
}

function hasProfiles({ profiles }: JsonObject): boolean {
  return Array.isArray(profiles) && profiles.length > 0;
}
