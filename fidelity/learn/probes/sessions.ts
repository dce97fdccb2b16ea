import type { Encoder } from '../../../conformance/providers/provider.ts';
import {
  fail,
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  type CreatedStream,
  get,
  recordedSessionsPath,
  setRecord,
  streamPath,
} from '../../../conformance/target/operations.ts';
import { pathSegment } from '../../../conformance/target/target.ts';
import { poll } from './poll.ts';
import type { ProbeContext, Question } from './probe.ts';
import { lengthToSee, newStream, profile } from './streams.ts';

/** Sessions of one stream, in the order in which they were made. */
export interface SeveralSessions {
  readonly streamId: string;
  readonly recorded: readonly string[];
  readonly unrecorded: readonly string[];
}

/** Seconds that each session lasts. */
const seconds = 8;

/**
 * Whether each of several sessions is recorded: both kinds are among the first two and among the last
 * two, so that even a short page shows both.
 */
const recordings = {
  control: [false, true, true, true, true, true, true, false],
  command: [true, false],
  manual: [true, false],
} as const satisfies Record<Encoder['name'], readonly boolean[]>;

/** By the control API, enough sessions for a page to be as long as expected. */
function recordingsOf({ expected }: ProbeContext, { name }: Encoder): readonly boolean[] {
  const [first, ...others] = recordings[name];
  const missing = lengthToSee(expected('sessions.page-size')) - others.filter(Boolean).length;
  if (name !== 'control' || missing <= 0) return recordings[name];
  return [first, ...Array<boolean>(missing).fill(true), ...others];
}

const goLive = 'add --control-url, --ingest-command or --manual, so that sessions can be made';

/** Path of a session. @throws Blocked for an id that fits into no path */
export function sessionPath(id: unknown): string {
  return `/session/${pathSegment(id)}`;
}

/** What goes live. @throws Blocked without an encoder */
function encoderOf({ provider }: ProbeContext): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(`a session of its own: ${goLive}`);
}

/** Goes live on a stream and ends. Resolves to the session's id. @throws Blocked if it is not shown */
export async function makeSession(
  context: ProbeContext,
  stream: CreatedStream,
): Promise<JsonObject> {
  const before = new Set(await idsOf(context, stream.id));
  context.creations.live.add(stream.id);
  const session = await encoderOf(context).broadcast(stream, seconds);
  if (typeof session?.['id'] === 'string') return session;
  const id = await poll(context, context.patience, async () =>
    (await idsOf(context, stream.id)).find((one) => !before.has(one)),
  );
  if (id === undefined) throw new Blocked('a session that was made: no list shows it');
  return { id: id.value };
}

/** Ids of the sessions in both lists of a stream. */
async function idsOf(context: ProbeContext, streamId: string): Promise<string[]> {
  const lists = [recordedSessionsPath(streamId), `${streamPath(streamId)}/sessions`];
  const ids: unknown[] = [];
  for (const path of context.provider.name === 'control' ? [] : lists) {
    const response = await context.send(get(path));
    if (isSuccess(response)) ids.push(...readObjects(response).map(({ id }) => id));
  }
  return ids.filter((id) => typeof id === 'string');
}

/** Several sessions of one stream without profiles, recorded and not, all of them settled. */
export const severalSessions: Question<SeveralSessions> = async (context) => {
  if (context.provider.name === 'given') return givenSessions(context, context.provider.streamId);
  const encoder = encoderOf(context);
  const stream = await newStream(context);
  const made = { recorded: [] as string[], unrecorded: [] as string[] };
  let isOn: boolean | undefined;
  for (const record of recordingsOf(context, encoder)) {
    if (record !== isOn) await switchRecord(context, stream.id, record);
    isOn = record;
    const session = await makeRecorded(context, stream, record);
    made[record ? 'recorded' : 'unrecorded'].push(String(session['id']));
    await context.pause(betweenSessions);
  }
  await waitUntilReady(context, stream.id, made.recorded.at(-1) ?? '');
  await expectOnlyRecorded(context, stream.id, made.recorded);
  return { streamId: stream.id, ...made };
};

/** Switches recording as soon as the service allows it: it may refuse until a session has surely ended. */
async function switchRecord(context: ProbeContext, id: string, record: boolean): Promise<void> {
  let refusal: Blocked | undefined;
  const switched = await poll(context, context.patience, async () => {
    try {
      return await setRecord(context.send, id, record, 0);
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      refusal = error;
      return undefined;
    }
  });
  if (switched === undefined && refusal !== undefined) throw refusal;
}

/** Milliseconds, so that times of creation differ. */
const betweenSessions = 2;

/** Makes a session of a stream whose record has a value, which the session inherits (interface 4.2). */
export async function makeRecorded(
  context: ProbeContext,
  stream: CreatedStream,
  record: boolean,
): Promise<JsonObject> {
  const session = await makeSession(context, stream);
  if (session['record'] === !record) {
    fail(`record of a new session: expected ${record}, as in its stream, got ${!record}`, session);
  }
  return session;
}

/** With `record=1` a list shows sessions that were recorded, and no others (interface 4.3). */
async function expectOnlyRecorded(
  context: ProbeContext,
  streamId: string,
  recorded: readonly string[],
): Promise<void> {
  const listed = await listSessions(context, recordedSessionsPath(streamId));
  if (listed.some(({ id }) => !recorded.includes(String(id)))) {
    fail('record=1: expected the recorded sessions of the stream only, got others', listed);
  }
  if (listed.length === 0) throw new Blocked('a recorded session: none was listed in time');
}

async function givenSessions(context: ProbeContext, streamId: string): Promise<SeveralSessions> {
  const recorded = await listSessions(context, recordedSessionsPath(streamId));
  const ids = recorded.map(({ id }) => String(id));
  return { streamId, recorded: ids.toReversed(), unrecorded: [] };
}

/** Waits until all recorded sessions are ready: the page may be too short to show the last one. */
async function waitUntilReady(
  context: ProbeContext,
  streamId: string,
  last: string,
): Promise<void> {
  const start = context.now();
  const found = await poll(context, context.patience, async () => {
    const listed = await listSessions(context, recordedSessionsPath(streamId));
    const isSettled = listed.length > 0 && listed.every(isReady);
    return isSettled ? listed : undefined;
  });
  if (found?.value.some(({ id }) => id === last) !== true) {
    await context.pause(Math.min(context.patience, context.now() - start + 500));
  }
}

/** A session of a stream with profiles, which it shows too. @throws CheckFailure if it shows none */
export const profiledSession: Question<JsonObject> = async (context) => {
  const stream = await newStream(context, { profiles: [profile] });
  await setRecord(context.send, stream.id, true, 0);
  await makeRecorded(context, stream, true);
  const listed = await poll(context, context.patience, async () => {
    const [session] = await listSessions(context, recordedSessionsPath(stream.id));
    return session;
  });
  if (listed === undefined) throw new Blocked('a recorded session: none was listed in time');
  const { value } = listed;
  return Array.isArray(value['profiles'])
    ? value
    : fail('profiles of a session: expected those of its stream, got none', value);
};

/** Whether a session's recording is available (interface 3). */
export function isReady(session: JsonObject): boolean {
  return session['recordingStatus'] === 'ready';
}

/** The sessions on the first page of a list. @throws Blocked where it is refused */
export async function listSessions(context: ProbeContext, path: string): Promise<JsonObject[]> {
  const response = await context.send(get(path));
  if (isSuccess(response)) return readObjects(response);
  throw new Blocked(
    `a list of sessions: GET ${path.replace(/\/[^/]+\//, '/…/')} got status ${response.status}`,
  );
}

/** A session that lists show, of a stream that has no other. */
export const spareSession: Question<{ readonly streamId: string; readonly id: string }> = async (
  context,
) => {
  if (context.provider.name === 'given') {
    const { streamId, recorded } = await context.ask(severalSessions);
    if (recorded[0] !== undefined) return { streamId, id: recorded[0] };
  }
  encoderOf(context);
  const stream = await newStream(context);
  await setRecord(context.send, stream.id, true, 0);
  const id = String((await makeRecorded(context, stream, true))['id']);
  await poll(context, context.patience, async () => {
    const listed = await listSessions(context, recordedSessionsPath(stream.id));
    return listed.some((session) => session['id'] === id) || undefined;
  });
  return { streamId: stream.id, id };
};

/** A recorded session that is ready, as a list shows it. @throws Blocked if there is none */
export const readySession: Question<{
  readonly streamId: string;
  readonly shown: JsonObject;
}> = async (context) => {
  const { streamId } = await context.ask(severalSessions);
  const listed = await listSessions(context, recordedSessionsPath(streamId));
  const shown = listed.find(isReady);
  if (shown !== undefined) return { streamId, shown };
  throw new Blocked('a ready recording: none became ready in time; raise --patience');
};

/** A stream that is live until the last row was asked. @throws Blocked without a control API */
export async function liveStream(
  context: ProbeContext,
  stream: CreatedStream,
): Promise<() => Promise<void>> {
  const encoder = encoderOf(context);
  context.creations.live.add(stream.id);
  const stop = await encoder.goLive?.(stream);
  if (stop === undefined)
    throw new Blocked('a session that can be ended at will: add --control-url');
  context.undoAtEnd(stop);
  return stop;
}

/**
 * Whether a stream is recorded: what it shows, or else what its next session shows.
 * @throws Blocked if neither shows it
 */
export async function recordOf(context: ProbeContext, stream: CreatedStream): Promise<boolean> {
  const { record } = stream.shown;
  if (typeof record === 'boolean') return record;
  const session = await makeSession(context, stream);
  if (typeof session['record'] === 'boolean') return session['record'];
  throw new Blocked('a stream or a session that shows record: add --control-url');
}
