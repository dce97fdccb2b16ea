import type { Behaviours, NamedBehaviour } from '../../../interface/dialect/behaviours.ts';
import { unlessPrevented } from '../../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../../target/requests/read-response.ts';
import { isReady } from '../../../target/streams/recorded-list.ts';
import { get, recordedSessionsPath, streamPath } from '../../../target/streams/stream-requests.ts';
import { findOnPages } from '../probing/pages.ts';
import {
  type Found,
  isBetweenSteps,
  middleOf,
  noteDelay,
  poll,
  roundTime,
} from '../probing/poll.ts';
import {
  beginLive,
  currentSession,
  endLive,
  neverReady,
  severalSessions,
} from '../probing/probed-sessions.ts';
import { currentStream, newRecordedStream } from '../probing/probed-streams.ts';
import { need, type Probe, type ProbeContext, type Probes } from '../probing/prober.ts';
import { spelling } from '../probing/spelling.ts';

type ListName = keyof Behaviours['sessions.appear'];
type Appearance = NamedBehaviour<'sessions.appear'>;

/** Functions that look for a session, by place; they resolve to `undefined` until it is found. */
type Lookups = Readonly<Record<string, () => Promise<JsonObject | undefined>>>;

/** How long to wait for a live session in a list that may never show it, in milliseconds. */
const shortWait = 2_000;

/**
 * Watches until every lookup has found the session, or time runs out. A list that does not show a session long
 * after it was ready will never show it.
 */
async function watch(context: ProbeContext, lookups: Lookups, maxTime: number) {
  const start = context.now();
  const sightings = new Map<string, Found<JsonObject>>();
  let after = 0;
  await poll(context, maxTime, async () => {
    const until = context.now() - start;
    for (const [name, lookup] of Object.entries(lookups)) {
      const value = sightings.has(name) ? undefined : await lookup();
      if (value !== undefined) sightings.set(name, { value, after, until });
    }
    after = until;
    const ready = sightings.get('ready')?.until ?? Number.POSITIVE_INFINITY;
    const isLate = until > 3 * ready + shortWait;
    return sightings.size === Object.keys(lookups).length || isLate || undefined;
  });
  return sightings;
}

/** When a recorded session was seen in lists, while it was live and after its end, and when it was ready. */
async function watchSession(context: ProbeContext) {
  const stream = await newRecordedStream(context);
  // The key of its parent may have any name.
  const isOfStream = (session: JsonObject): boolean => Object.values(session).includes(stream.id);
  const lookAt = (path: string) => () => findOnPages(context, path, isOfStream);
  const inStream = lookAt(recordedSessionsPath(stream.id));
  const unfiltered = `${streamPath(stream.id)}/sessions`;
  const isListed = isSuccess(await context.send(get(unfiltered)));
  const filtered = `/session?parentId=${stream.id}`;
  const sessions = isSuccess(await context.send(get(filtered))) ? filtered : '/session';
  const lookups = {
    listSessionsOfStream: isListed ? lookAt(unfiltered) : inStream,
    listSessions: lookAt(sessions),
    recordedOnly: inStream,
  };
  await beginLive(context, stream);
  const live = await watch(context, lookups, Math.min(context.patience, shortWait));
  const streamLive = await unlessPrevented(currentStream(context, stream.id));
  await endLive(context, stream.id);
  const ready = async (): Promise<JsonObject | undefined> => {
    const session = await inStream();
    return session && isReady(session) ? session : undefined;
  };
  const ended = await watch(context, { ...lookups, ready }, context.patience);
  noteDelay(context, ended.get('ready')?.until ?? 0);
  const firstReady = need(ended.get('ready'), neverReady);
  const names = ['listSessionsOfStream', 'recordedOnly'] as const;
  const seen = names.map((name) => live.get(name) ?? ended.get(name));
  const ofStream = seen.find((found) => found !== undefined);
  const listed = need(ofStream, neverReady);
  return { live, ended, streamLive, times: { listed: listed.after, ready: firstReady.after } };
}

/** Longer times are measured once: they vary less in proportion, and to wait for them again takes long. */
const longestRepeated = 10_000;

/**
 * Rounds times that were measured. If one of them is near where a step begins, it is measured twice more, so that the
 * same step is found in each run. What cannot be measured again does not count.
 */
async function steadyTimes(
  first: Times,
  measureAgain: () => Promise<Times | undefined>,
): Promise<Times> {
  const isUncertain = Object.values(first).some(
    (time) => time <= longestRepeated && isBetweenSteps(time),
  );
  const second = isUncertain ? await measureAgain() : undefined;
  const third = second && (await measureAgain());
  // Of two, neither is in the middle.
  const measured = second && third ? [first, second, third] : [first];
  const steady = (name: keyof Times): number =>
    roundTime(middleOf(measured.map((times) => times[name])));
  return { listed: steady('listed'), ready: steady('ready') };
}

type Times = Awaited<ReturnType<typeof watchSession>>['times'];

/** How lists showed a recorded session from its beginning until it was ready. */
export const timeline = async (context: ProbeContext) => {
  const { live, ended, streamLive, times } = await watchSession(context);
  const appear: Partial<Record<ListName, Appearance>> = {};
  for (const name of ['listSessionsOfStream', 'listSessions', 'recordedOnly'] as const) {
    const seen = ended.get(name);
    if (live.has(name)) appear[name] = 'at-start';
    else if (seen !== undefined) {
      appear[name] = isReady(seen.value) && seen.until > seen.after ? 'when-ready' : 'at-end';
    }
  }
  const { listSessionsOfStream = appear.recordedOnly } = appear;
  if (listSessionsOfStream !== undefined) appear.listSessionsOfStream = listSessionsOfStream;
  // It says only when a list of recorded sessions shows one later than others do.
  if (appear.recordedOnly === appear.listSessionsOfStream) appear.recordedOnly = 'at-start';
  const { listed, ready } = await steadyTimes(times, async () => {
    const again = await unlessPrevented(watchSession(context));
    return again?.times;
  });
  return {
    appear,
    // Milliseconds, rounded, from the moment in `appear`, and from its end.
    listed: appear.listSessionsOfStream === 'when-ready' ? 0 : listed,
    ready,
    // The stream and the session, as lists showed it, while they were live, if that was seen.
    live: {
      stream: streamLive,
      sessions: (['listSessionsOfStream', 'listSessions'] as const).flatMap((place) => {
        const session = live.get(place)?.value;
        return session === undefined ? [] : [{ place, session }];
      }),
    },
    // The session before it was ready, if that was seen. Some services use another status while it is live.
    unready: [...ended.values(), ...live.values()].find(({ value }) => !isReady(value))?.value,
  };
};

/** A recorded session that is not ready. @throws Blocked if none was seen in time */
const unreadySession: Probe<JsonObject> = async ({ ask }) => {
  const { unready } = await ask(timeline);
  return need(unready, 'a recorded session before it is ready: none was seen in time');
};

export const unrecordedSession: Probe<JsonObject> = async (context) => {
  const { streamId, unrecorded } = await context.ask(severalSessions);
  const [id] = unrecorded;
  const session = id === undefined ? undefined : await currentSession(context, streamId, id);
  return need(session, 'a session that is not recorded: no list shows one');
};

/** The sessions that have no recording to play. */
const unplayable = { beforeReady: unreadySession, unrecorded: unrecordedSession } as const;

function statusShown(name: keyof typeof unplayable): Probe<string | null> {
  return async ({ ask }) => {
    const { recordingStatus = 'absent' } = await ask(unplayable[name]);
    return recordingStatus as string | null;
  };
}

function addressShown(name: keyof typeof unplayable): Probe<NamedBehaviour<'sessions.addresses'>> {
  return async ({ ask }) => {
    const { recordingUrl: key = 'recordingUrl' } = await ask(spelling);
    const { [key]: address } = await ask(unplayable[name]);
    if (address === undefined) return 'absent';
    if (address === null) return 'null';
    return address === '' ? 'empty' : 'present';
  };
}

function appearanceIn(name: ListName): Probe<Appearance> {
  return async ({ ask }) => {
    const { appear } = await ask(timeline);
    return need(appear[name], 'a session in a list: none was shown in time');
  };
}

/** Probes of when and how sessions and their recordings are shown. */
export const timelineProbes = {
  'sessions.appear': appearanceIn,
  'sessions.status': statusShown,
  'sessions.addresses': addressShown,
  'time.ready': async ({ ask }) => (await ask(timeline)).ready,
  'time.listed': async ({ ask }) => (await ask(timeline)).listed,
} satisfies Partial<Probes>;
