import { isReady } from '../../../conformance/sessions/recorded-list.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, recordedSessionsPath } from '../../../conformance/target/operations.ts';
import type { Behaviours, NamedBehaviour } from '../../../interface/dialect/behaviours.ts';
import { type Asking, type Probes, type Question, unlessBlocked } from '../asking/asking.ts';
import { type Found, poll, roundTime } from '../asking/poll.ts';
import {
  currentSession,
  endLive,
  goLive,
  makeSession,
  newRecorded,
  noteDelay,
  severalSessions,
  spelling,
} from '../asking/sessions.ts';
import { currentStream, findOnPages } from '../asking/streams.ts';

type ListName = keyof Behaviours['sessions.appear'];
type Appearance = NamedBehaviour<'sessions.appear'>;

/** How lists showed a recorded session from its beginning until it was ready. */
interface Timeline {
  readonly appear: Readonly<Partial<Record<ListName, Appearance>>>;
  /** Milliseconds, rounded. */
  readonly listed: number;
  readonly ready: Bounds;
  /** The session before it was ready, if that was seen. */
  readonly unready: JsonObject | undefined;
  /** The stream and the session while they were live, if that was seen. */
  readonly live: Readonly<Record<'stream' | 'session', JsonObject | undefined>>;
}

/** A recording became ready between these times after its end, in milliseconds. */
interface Bounds {
  readonly above: number;
  readonly below: number;
}

/** A session that was seen. */
interface Seen extends Found<JsonObject> {
  /** When the look that found it ended. */
  readonly by: number;
}

/** Functions that look for a session, by place; they resolve to `undefined` until it is found. */
type Looks = Readonly<Partial<Record<ListName | 'ready', () => Promise<JsonObject | undefined>>>>;

/** How long to wait for a live session in a list that may never show it, in milliseconds. */
const shortWait = 2_000;

/**
 * Watches until all looks have found a session, or the time is over. A list that does not show a session long
 * after it was ready will never show it.
 */
async function watch(
  asking: Asking,
  looks: Looks,
  most: number,
): Promise<ReadonlyMap<string, Seen>> {
  const start = asking.now();
  const found = new Map<string, Seen>();
  let after = 0;
  const look = async (): Promise<true | undefined> => {
    const until = asking.now() - start;
    for (const [name, lookOnce] of Object.entries(looks)) {
      const value = found.has(name) ? undefined : await lookOnce();
      if (value !== undefined) found.set(name, { value, after, until, by: asking.now() - start });
    }
    after = until;
    const ready = found.get('ready')?.until ?? Number.POSITIVE_INFINITY;
    const isLate = until > Math.max(ready + shortWait, 3 * ready);
    return found.size === Object.keys(looks).length || isLate || undefined;
  };
  await poll(asking, most, look, start);
  return found;
}

/** The list of all sessions, restricted to one stream if possible; `undefined` if there is no such list. */
async function pathOfAll({ send }: Asking, streamId: string): Promise<string | undefined> {
  for (const path of [`/session?parentId=${streamId}`, '/session']) {
    if (isSuccess(await send(get(path)))) return path;
  }
  return undefined;
}

/**
 * Watches a recorded session.
 * @param maxLive how long lists are watched while it is live, in milliseconds
 */
async function watchSession(asking: Asking, maxLive: number): Promise<Timeline> {
  const stream = await newRecorded(asking);
  // The key of its parent may have any name.
  const isOfStream = (session: JsonObject): boolean => Object.values(session).includes(stream.id);
  const lookAt = (path: string) => () => findOnPages(asking, path, isOfStream);
  const inStream = lookAt(recordedSessionsPath(stream.id));
  const ofAll = await pathOfAll(asking, stream.id);
  const looks: Looks = {
    listSessionsOfStream: inStream,
    ...(ofAll !== undefined && { listSessions: lookAt(ofAll) }),
  };
  await goLive(asking, stream);
  const live = await watch(asking, looks, Math.min(asking.patience, maxLive));
  const streamLive = await unlessBlocked(currentStream(asking, stream.id));
  const sent = asking.now();
  await endLive(asking, stream.id);
  const start = asking.now();
  const ready = async (): Promise<JsonObject | undefined> => {
    const session = await inStream();
    return session && isReady(session) ? session : undefined;
  };
  const ended = await watch(asking, { ...looks, ready }, asking.patience);
  const seen = ended.get('ready');
  noteDelay(asking, seen === undefined ? 0 : asking.now() - start);
  const shown = live.get('listSessionsOfStream') ?? ended.get('listSessionsOfStream');
  if (shown === undefined || seen === undefined) {
    throw new Blocked('a ready recording: none became ready in time; raise --patience');
  }
  const appear: Partial<Record<ListName, Appearance>> = {};
  for (const name of Object.keys(looks) as ListName[]) {
    const one = ended.get(name);
    if (live.has(name)) appear[name] = 'at-start';
    else if (one !== undefined) {
      appear[name] = isReady(one.value) && one.until > one.after ? 'when-ready' : 'at-end';
    }
  }
  return {
    appear,
    listed: appear.listSessionsOfStream === 'when-ready' ? 0 : roundTime(shown.after),
    // The session may have ended as soon as the request was sent.
    ready: { above: seen.after, below: seen.by + start - sent },
    live: { stream: streamLive, session: live.get('listSessionsOfStream')?.value },
    // Some services use another status while it is live.
    unready: [...ended.values(), ...live.values()].find(({ value }) => !isReady(value))?.value,
  };
}

export const timeline: Question<Timeline> = (asking) => watchSession(asking, shortWait);

/** The most sessions to measure a time with, until it is clear to which step it is rounded. */
const maxMeasured = 6;

const readyTime: Question<number> = async (asking) => {
  let { above, below } = (await asking.ask(timeline)).ready;
  for (let count = 1; count < maxMeasured && roundTime(above) !== roundTime(below - 1); count++) {
    const { ready } = await watchSession(asking, 0);
    above = Math.max(above, ready.above);
    below = Math.min(below, ready.below);
  }
  return roundTime(above);
};

/** A recorded session that is not ready. @throws Blocked if none was seen in time */
const unreadySession: Question<JsonObject> = async (asking) => {
  const seen = await unlessBlocked(asking.ask(timeline));
  if (seen?.unready !== undefined) return seen.unready;
  // Not only lists show a session.
  const stream = await newRecorded(asking);
  const { id } = await makeSession(asking, stream);
  const shown = await currentSession(asking, stream.id, id);
  if (shown !== undefined && !isReady(shown)) return shown;
  throw new Blocked('a recorded session before it is ready: none was seen in time');
};

export const unrecordedSession: Question<JsonObject> = async (asking) => {
  const { streamId, unrecorded } = await asking.ask(severalSessions);
  const [id] = unrecorded;
  const shown = id === undefined ? undefined : await currentSession(asking, streamId, id);
  if (shown !== undefined) return shown;
  throw new Blocked('a session that is not recorded: no list shows one');
};

/** The sessions that are not ready, or not recorded. */
const unready = { beforeReady: unreadySession, unrecorded: unrecordedSession } as const;

function statusOf(name: keyof typeof unready): Question<string | null> {
  return async ({ ask }) => {
    const { recordingStatus = 'absent' } = await ask(unready[name]);
    return recordingStatus as string | null;
  };
}

function addressOf(name: keyof typeof unready): Question<NamedBehaviour<'sessions.addresses'>> {
  return async ({ ask }) => {
    const { recordingUrl: key = 'recordingUrl' } = await ask(spelling);
    const { [key]: address } = await ask(unready[name]);
    if (address === undefined) return 'absent';
    if (address === null) return 'null';
    return address === '' ? 'empty' : 'present';
  };
}

function appearanceIn(name: ListName): Question<Appearance> {
  return async ({ ask }) => {
    const appearance = (await ask(timeline)).appear[name];
    if (appearance !== undefined) return appearance;
    throw new Blocked('a session in a list: none was shown in time');
  };
}

/** Probes of when and how sessions and their recordings are shown. */
export const timelineProbes: Probes<'sessions' | 'time'> = {
  'sessions.appear': appearanceIn,
  'sessions.status': statusOf,
  'sessions.addresses': addressOf,
  'time.ready': readyTime,
  'time.listed': async ({ ask }) => (await ask(timeline)).listed,
};
