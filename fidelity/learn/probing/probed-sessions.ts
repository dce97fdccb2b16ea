import {
  broadcastSeconds,
  type Encoder,
  encoderOf,
  goLive,
} from '../../../target/providers/provider.ts';
import { pathSegment } from '../../../target/requests/call.ts';
import { unlessPrevented } from '../../../target/requests/failure.ts';
import type { JsonObject } from '../../../target/requests/read-response.ts';
import { isReady } from '../../../target/streams/recorded-list.ts';
import {
  asCreatedStream,
  type CreatedStream,
  recordedSessionsPath,
  setOwnRecord,
  streamPath,
} from '../../../target/streams/stream-requests.ts';
import { textOf } from '../../json-shapes.ts';
import { findById, firstPage } from './pages.ts';
import { waitFor } from './poll.ts';
import { betweenItems, newStream } from './probed-streams.ts';
import { need, type Probe, type ProbeContext } from './prober.ts';

/** Makes a session of a stream. Resolves to the session, or only to its id. @throws Blocked if no list shows it */
export async function makeSession(context: ProbeContext, stream: CreatedStream) {
  const encoder = encoderOf(context);
  const earlierIds = await listedIds(context, stream.id);
  context.creations.live.add(stream.id);
  const session = await encoder.broadcast(stream, broadcastSeconds);
  if (typeof session?.['id'] === 'string') return session;
  const newId = await waitFor(context, async () =>
    (await listedIds(context, stream.id)).find((id) => !earlierIds.includes(id)),
  );
  return { id: need(newId, 'a session of this run: no list shows it') };
}

/** The ids of the sessions of a stream on the first pages of its lists. */
async function listedIds(context: ProbeContext, streamId: string): Promise<readonly string[]> {
  const recorded = await unlessPrevented(firstPage(context, recordedSessionsPath(streamId)));
  const unfiltered = await unlessPrevented(firstPage(context, `${streamPath(streamId)}/sessions`));
  return [...(recorded?.ids ?? []), ...(unfiltered?.ids ?? [])];
}

/** Goes live on a stream, at most until the last probe has ended. @throws Blocked if the session cannot be ended */
export async function beginLive(context: ProbeContext, stream: CreatedStream): Promise<void> {
  context.lives.set(stream.id, await goLive(context, stream));
}

/** Ends the live session of a stream, if there is one. */
export async function endLive({ lives }: ProbeContext, id: string): Promise<void> {
  await lives.get(id)?.();
  lives.delete(id);
}

/**
 * The value of `record` of a stream: as the stream shows it, or else as its next session shows it.
 * @throws Blocked if neither shows it
 */
export async function recordValueOf(context: ProbeContext, stream: JsonObject): Promise<unknown> {
  if ('record' in stream) return stream['record'];
  const session = await makeSession(context, asCreatedStream(textOf(stream['id']), stream));
  need('record' in session, 'a stream or a session that shows record: add --control-url');
  return session['record'];
}

/** The value of `record` of a new stream. */
export const defaultRecordValue: Probe<unknown> = async (context) =>
  recordValueOf(context, (await newStream(context)).fields);

/**
 * The current state of a session, wherever it is shown; `undefined` if nothing shows it.
 * @param streamId without it, the lists of its stream are left out
 */
export async function currentSession(
  context: ProbeContext,
  streamId: string | undefined,
  id: unknown,
): Promise<JsonObject | undefined> {
  const paths = [`/session/${pathSegment(id)}`, streamPath(id)];
  if (streamId !== undefined) {
    const inStream = `${streamPath(streamId)}/sessions`;
    paths.push(`${inStream}?record=1`, inStream, `/session?parentId=${pathSegment(streamId)}`);
  }
  return findById(context, [...paths, '/session'], textOf(id));
}

/** Sessions of one stream, in the order in which they were made. */
interface SeveralSessions {
  readonly streamId: string;
  readonly recorded: readonly string[];
  readonly unrecorded: readonly string[];
}

/**
 * Whether each of several sessions is recorded: both kinds are among the first two and among the last
 * two, so that even a short page shows both.
 */
const recordings = {
  control: [false, true, true, true, true, true, true, false],
  command: [true, false],
  manual: [true, false],
} as const satisfies Record<Encoder['name'], readonly boolean[]>;

/** Several sessions of one stream without profiles, some of them recorded. All of them have settled. */
export const severalSessions: Probe<SeveralSessions> = async (context) => {
  const { provider } = context;
  if (provider.name === 'given') {
    const { items } = await firstPage(context, recordedSessionsPath(provider.streamId));
    const timeOf = ({ createdAt }: JsonObject): number => Number(createdAt ?? 0);
    const oldestFirst = items.toSorted((left, right) => timeOf(left) - timeOf(right));
    const recorded = oldestFirst.map(({ id }) => textOf(id));
    return { streamId: provider.streamId, recorded, unrecorded: [] };
  }
  const encoder = encoderOf(context);
  const stream = await newStream(context);
  const ids = { recorded: [] as string[], unrecorded: [] as string[] };
  let isOn: boolean | undefined;
  for (const record of recordings[encoder.name]) {
    if (record !== isOn) await setOwnRecord(context.arrange, stream.id, record, context.patience);
    isOn = record;
    const id = textOf((await makeSession(context, stream))['id']);
    await waitFor(context, async () => {
      const session = await currentSession(context, stream.id, id);
      return session !== undefined && (!record || isReady(session)) ? session : undefined;
    });
    ids[record ? 'recorded' : 'unrecorded'].push(id);
    await context.pause(betweenItems);
  }
  return { streamId: stream.id, ...ids };
};

/** What is needed if no recording became ready. */
export const neverReady = 'a ready recording: none became ready in time; raise --patience';

/** A recorded session that is ready. @throws Blocked if there is none */
export const readySession: Probe<{
  readonly streamId: string;
  readonly session: JsonObject;
}> = async (context) => {
  const { streamId, recorded } = await context.ask(severalSessions);
  const session = await currentSession(context, streamId, recorded[0]);
  return { streamId, session: need(session && isReady(session) && session, neverReady) };
};
