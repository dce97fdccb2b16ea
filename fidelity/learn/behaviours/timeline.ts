import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, recordedSessionsPath, setRecord } from '../../../conformance/target/operations.ts';
import type { Appearance, Behaviours } from '../../../interface/silent.ts';
import type { Asking, Question } from '../asking/asking.ts';
import { type Found, poll, roundTime } from '../asking/poll.ts';
import {
  goLive,
  isReady,
  makeSession,
  noteDelay,
  severalSessions,
  showSession,
} from '../asking/sessions.ts';
import { spelling } from '../asking/spelling.ts';
import { findOnPages, newStream } from '../asking/streams.ts';
import { each } from './each.ts';

type ListName = keyof Behaviours['sessions.appear'];
type Rows = Pick<
  Behaviours,
  | 'sessions.appear'
  | 'sessions.status-before-ready'
  | 'sessions.addresses-before-ready'
  | 'sessions.status-unrecorded'
  | 'time.ready'
  | 'time.listed'
>;

/** What the lists showed of a recorded session, from its beginning until it was ready. */
interface Timeline {
  readonly appear: Readonly<Partial<Record<ListName, Appearance>>>;
  /** Milliseconds, rounded. */
  readonly listed: number;
  readonly ready: number;
  /** The session as it was before it was ready, if that was seen. */
  readonly unready: JsonObject | undefined;
}

/** Milliseconds for which a live session is waited for in a list that may never show it. */
const shortWait = 2_000;

/**
 * Watches lists until all of them show a session, or the time is over. A list that does not show one long
 * after it was ready will not.
 */
async function watch(
  asking: Asking,
  looks: Readonly<Record<string, () => Promise<JsonObject | undefined>>>,
  most: number,
): Promise<ReadonlyMap<string, Found<JsonObject>>> {
  const start = asking.now();
  const found = new Map<string, Found<JsonObject>>();
  let after = 0;
  const look = async (): Promise<true | undefined> => {
    const until = asking.now() - start;
    for (const [name, lookOnce] of Object.entries(looks)) {
      const value = found.has(name) ? undefined : await lookOnce();
      if (value !== undefined) found.set(name, { value, after, until });
    }
    after = until;
    const ready = found.get('ready')?.until ?? Number.POSITIVE_INFINITY;
    const isLate = until > Math.max(ready + shortWait, 3 * ready);
    return found.size === Object.keys(looks).length || isLate || undefined;
  };
  await poll(asking, most, look, start);
  return found;
}

const timeline: Question<Timeline> = async (asking) => {
  const { patience } = asking;
  const stream = await newStream(asking);
  await setRecord(asking.send, stream.id, true, 0);
  const paths = {
    listSessionsOfStream: recordedSessionsPath(stream.id),
    ...(await pathOfAll(asking, stream.id)),
  };
  // Whatever the key of its parent is called.
  const isOfStream = (session: JsonObject): boolean => Object.values(session).includes(stream.id);
  const looks = Object.fromEntries(
    Object.entries(paths).map(([name, path]) => {
      const look = (): Promise<JsonObject | undefined> => findOnPages(asking, path, isOfStream);
      return [name, look];
    }),
  );
  const ofStream = looks['listSessionsOfStream'] as () => Promise<JsonObject | undefined>;
  const lookForReady = async (): Promise<JsonObject | undefined> => {
    const session = await ofStream();
    return session && isReady(session) ? session : undefined;
  };
  const stop = await goLive(asking, stream);
  const live = await watch(asking, looks, Math.min(patience, shortWait));
  await stop();
  const start = asking.now();
  const ended = await watch(asking, { ...looks, ready: lookForReady }, patience);
  const ready = ended.get('ready');
  noteDelay(asking, ready === undefined ? 0 : asking.now() - start);
  const appear: Partial<Record<ListName, Appearance>> = {};
  for (const name of Object.keys(looks) as ListName[]) {
    const shown = ended.get(name);
    if (live.has(name)) appear[name] = 'at-start';
    else if (shown !== undefined) {
      appear[name] = isReady(shown.value) && shown.until > shown.after ? 'when-ready' : 'at-end';
    }
  }
  const shown = live.get('listSessionsOfStream') ?? ended.get('listSessionsOfStream');
  if (shown === undefined || ready === undefined) {
    throw new Blocked('a ready recording: none became ready in time; raise --patience');
  }
  const isLate = appear.listSessionsOfStream === 'when-ready';
  return {
    appear,
    listed: isLate ? 0 : roundTime(shown),
    ready: roundTime(ready),
    unready: [...live.values(), ...ended.values()].find(({ value }) => !isReady(value))?.value,
  };
};

/** The list of all sessions, where there is one; of one stream, where that can be asked for. */
async function pathOfAll(
  { send }: Asking,
  streamId: string,
): Promise<{ readonly listSessions?: string }> {
  for (const path of [`/session?parentId=${streamId}`, '/session']) {
    if (isSuccess(await send(get(path)))) return { listSessions: path };
  }
  return {};
}

/** A recorded session that is not ready. @throws Blocked if none was seen in time */
const unreadySession: Question<JsonObject> = async (asking) => {
  const seen = await asking.ask(timeline).catch((error: unknown) => {
    if (error instanceof Blocked) return undefined;
    throw error;
  });
  if (seen?.unready !== undefined) return seen.unready;
  const stream = await newStream(asking);
  await setRecord(asking.send, stream.id, true, 0);
  const { id } = await makeSession(asking, stream);
  const shown = (await showSession(asking, stream.id, id))?.session;
  if (shown !== undefined && !isReady(shown)) return shown;
  throw new Blocked('a recorded session before it is ready: none was seen in time');
};

const unrecordedSession: Question<JsonObject> = async (asking) => {
  const { streamId, unrecorded } = await asking.ask(severalSessions);
  const [id] = unrecorded;
  const shown = id === undefined ? undefined : await showSession(asking, streamId, id);
  if (shown !== undefined) return shown.session;
  throw new Blocked('a session that is not recorded: no list shows one');
};

function statusOf(session: JsonObject): string | null {
  return (session['recordingStatus'] ?? null) as string | null;
}

function appearanceIn(name: ListName): Question<Appearance> {
  return async ({ ask }) => {
    const appearance = (await ask(timeline)).appear[name];
    if (appearance !== undefined) return appearance;
    throw new Blocked('a session in a list: it did not show one in time');
  };
}

/** Probes of how sessions and their recordings come to be seen. */
export const timelineProbes: {
  readonly [Id in keyof Rows]: Question<Partial<Rows[Id]> | Rows[Id]>;
} = {
  'sessions.appear': each<Rows['sessions.appear']>({
    listSessionsOfStream: appearanceIn('listSessionsOfStream'),
    listSessions: appearanceIn('listSessions'),
  }),
  'sessions.status-before-ready': async ({ ask }) => statusOf(await ask(unreadySession)),
  async 'sessions.addresses-before-ready'({ ask }) {
    const { recordingUrl = 'recordingUrl' } = await ask(spelling);
    return recordingUrl in (await ask(unreadySession)) ? 'present' : 'absent';
  },
  'sessions.status-unrecorded': async ({ ask }) => statusOf(await ask(unrecordedSession)),
  'time.ready': async ({ ask }) => (await ask(timeline)).ready,
  'time.listed': async ({ ask }) => (await ask(timeline)).listed,
};
