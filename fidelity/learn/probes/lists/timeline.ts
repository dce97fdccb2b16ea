import type { JsonObject } from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import {
  recordedSessionsPath,
  setRecord,
  streamPath,
} from '../../../../conformance/target/operations.ts';
import type { ListBehaviours } from '../../../../interface/silent-lists.ts';
import { findSession, placesInStream, placesOf } from '../../questions/find-session.ts';
import { severalSessions } from '../../questions/known-sessions.ts';
import { isReady, listSessions, sessionPath } from '../../questions/list-sessions.ts';
import { liveStream, makeRecorded } from '../../questions/make-session.ts';
import { poll, roundTime } from '../../questions/poll.ts';
import type { ProbeContext, ProbesFor, Question } from '../../questions/probe.ts';
import { newStream } from '../../questions/streams.ts';

type Timeline = Pick<
  ListBehaviours,
  | 'sessions.appear'
  | 'sessions.status-before-ready'
  | 'sessions.addresses-before-ready'
  | 'sessions.status-unrecorded'
  | 'time.ready'
  | 'time.listed'
>;

/** What the lists showed of a recorded session, from its beginning until it was ready. */
interface Observed {
  readonly appear: ListBehaviours['sessions.appear'];
  /** Milliseconds, rounded. */
  readonly listed: number;
  readonly ready: number;
  /** The session as it was before, if that was seen. */
  readonly unready: JsonObject | undefined;
}

/** Milliseconds that a session is waited for in a list that may never show it. */
const shortPatience = 3_000;

const timeline: Question<Observed> = async (context) => {
  const { patience } = context;
  const stream = await newStream(context);
  await setRecord(context.send, stream.id, true, 0);
  const list = recordedSessionsPath(stream.id);
  const look = async (): Promise<JsonObject | undefined> => (await listSessions(context, list))[0];
  const stop = await liveStream(context, stream);
  const live = await poll(context, Math.min(patience, shortPatience), look);
  await stop();
  const start = context.now();
  const shown = await poll(context, patience, look);
  const lookForReady = async (): Promise<JsonObject | undefined> => {
    const session = await look();
    return session && isReady(session) ? session : undefined;
  };
  const ready = await poll(context, patience, lookForReady, start);
  if (shown === undefined || ready === undefined) {
    throw new Blocked('a ready recording: none became ready in time; raise --patience');
  }
  const whenReady = isReady(shown.value) ? shown : ready;
  const unready = [live, shown].find((found) => found && !isReady(found.value))?.value;
  const both = { ready: roundTime(whenReady, context.expected('time.ready')), unready };
  const expected = context.expected('time.listed');
  if (live !== undefined) return { appear: 'at-start', listed: roundTime(live, expected), ...both };
  const appear = isReady(shown.value) && shown.until > shown.after ? 'when-ready' : 'at-end';
  return { appear, listed: appear === 'at-end' ? roundTime(shown, expected) : 0, ...both };
};

/** A recorded session that is not ready. @throws Blocked if none was seen in time */
const unreadySession: Question<JsonObject> = async (context) => {
  const seen = await context.ask(timeline).catch(withoutTimeline);
  if (seen?.unready !== undefined) return seen.unready;
  const stream = await newStream(context);
  await setRecord(context.send, stream.id, true, 0);
  const { id } = await makeRecorded(context, stream, true);
  const shown = (await findSession(context, [sessionPath(id), streamPath(id)], id))?.session;
  if (shown !== undefined && !isReady(shown)) return shown;
  throw new Blocked('a recorded session before it is ready: none was seen in time');
};

function withoutTimeline(error: unknown): undefined {
  if (!(error instanceof Blocked)) throw error;
}

const unrecordedSession: Question<JsonObject> = async (context) => {
  const { streamId, unrecorded } = await context.ask(severalSessions);
  const [id] = unrecorded;
  const places = [sessionPath(id), streamPath(id), ...placesInStream(streamId)];
  const known = id === undefined ? undefined : await findSession(context, places, id);
  const found = known ?? (await findUnrecorded(context));
  if (found !== undefined) return found.session;
  throw new Blocked('a session that is not recorded: no list shows one');
};

/** A new session that is not recorded: a short list shows no others. */
async function findUnrecorded(context: ProbeContext): ReturnType<typeof findSession> {
  const stream = await newStream(context);
  await setRecord(context.send, stream.id, false, 0);
  const { id } = await makeRecorded(context, stream, false);
  const listed = await poll(context, Math.min(context.patience, shortPatience), () =>
    findSession(context, placesInStream(stream.id), id),
  );
  return listed?.value ?? findSession(context, placesOf(stream.id, id), id);
}

function statusOf(session: JsonObject): string | null {
  return (session['recordingStatus'] ?? null) as string | null;
}

/** Probes of how sessions and their recordings come to be seen. */
export const timelineProbes: ProbesFor<Timeline> = {
  'sessions.appear': async ({ ask }) => (await ask(timeline)).appear,
  'sessions.status-before-ready': async ({ ask }) => statusOf(await ask(unreadySession)),
  'sessions.addresses-before-ready': async ({ ask }) =>
    'recordingUrl' in (await ask(unreadySession)) ? 'present' : 'absent',
  'sessions.status-unrecorded': async ({ ask }) => statusOf(await ask(unrecordedSession)),
  'time.ready': async ({ ask }) => (await ask(timeline)).ready,
  'time.listed': async ({ ask }) => (await ask(timeline)).listed,
};
