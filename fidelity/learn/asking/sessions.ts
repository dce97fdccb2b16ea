import type { Encoder } from '../../../conformance/providers/provider.ts';
import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  type CreatedStream,
  get,
  recordedSessionsPath,
  setRecord,
  streamPath,
} from '../../../conformance/target/operations.ts';
import { pathSegment } from '../../../conformance/target/target.ts';
import { textOf } from '../../json.ts';
import type { Asking, Question } from './asking.ts';
import { type Found, poll } from './poll.ts';
import { recordsIn } from './records.ts';
import { betweenRecords, findOnPages, newStream } from './streams.ts';

/** Seconds that each session lasts. */
const seconds = 8;

/** What goes live. @throws Blocked without an encoder */
export function encoderOf({ provider }: Pick<Asking, 'provider'>): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(
    'a session of its own: add --control-url, --ingest-command or --manual, so that sessions can be made',
  );
}

/** Path of a session. @throws Blocked for an id that fits into no path */
export function sessionPath(id: unknown): string {
  return `/session/${pathSegment(id)}`;
}

/** Whether a session's recording is available (interface 3). */
export function isReady(session: JsonObject): boolean {
  return session['recordingStatus'] === 'ready';
}

/** The sessions on the first page of a list. @throws Blocked where it is refused */
async function listSessions(asking: Asking, path: string): Promise<readonly JsonObject[]> {
  const response = await asking.send(get(path));
  const shown = recordsIn(response);
  if (shown?.isList) return shown.records;
  throw new Blocked(
    `a list of sessions: GET ${path.replace(/\/[^/]+\//, '/…/')} got status ${response.status}`,
  );
}

/** The shortest time for which something is waited for that may never come, in milliseconds. */
const shortestWait = 2_000;

/** How long to wait: three times the longest delay seen; all the patience where none was seen yet. */
function expectedWait({ delays, patience }: Asking): number {
  const { longest } = delays;
  return Math.min(patience, longest === undefined ? patience : Math.max(shortestWait, 3 * longest));
}

/** Waits for something as long as there is reason to expect it. */
export async function waitFor<Value>(
  asking: Asking,
  look: () => Promise<Value | undefined>,
  most: number = expectedWait(asking),
): Promise<Found<Value> | undefined> {
  const found = await poll(asking, most, look);
  if (found !== undefined) noteDelay(asking, found.until);
  return found;
}

/** Remembers how long something took. */
export function noteDelay({ delays }: Asking, milliseconds: number): void {
  delays.longest = Math.max(delays.longest ?? 0, milliseconds);
}

/** Goes live on a stream and ends. Resolves to the session, or to its id alone. @throws Blocked if no list shows it */
export async function makeSession(asking: Asking, stream: CreatedStream): Promise<JsonObject> {
  const lists = [recordedSessionsPath(stream.id), `${streamPath(stream.id)}/sessions`];
  const encoder = encoderOf(asking);
  const tellsId = encoder.name === 'control';
  const idsOf = async (): Promise<string[]> => {
    const listed = await Promise.all(lists.map((path) => listSessions(asking, path).catch(none)));
    return listed.flat().flatMap(({ id }) => (typeof id === 'string' ? id : []));
  };
  const before = new Set(tellsId ? [] : await idsOf());
  asking.creations.live.add(stream.id);
  const session = await encoder.broadcast(stream, seconds);
  if (typeof session?.['id'] === 'string') return session;
  if (tellsId) {
    throw new Blocked('a session that was made: the response of the control API shows no id');
  }
  const id = await waitFor(asking, async () => (await idsOf()).find((one) => !before.has(one)));
  if (id === undefined) throw new Blocked('a session that was made: no list shows it');
  return { id: id.value };
}

function none(error: unknown): [] {
  if (error instanceof Blocked) return [];
  throw error;
}

/** A stream that is live until the last probe, unless it is ended before. @throws Blocked where none can be ended at will */
export async function goLive(asking: Asking, stream: CreatedStream): Promise<() => Promise<void>> {
  const encoder = encoderOf(asking);
  asking.creations.live.add(stream.id);
  const stop = await encoder.goLive?.(stream);
  if (stop === undefined) {
    throw new Blocked('a session that can be ended at will: add --control-url');
  }
  let stopped: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    stopped ??= stop();
    return stopped;
  };
  asking.undoAtEnd(stopOnce);
  return stopOnce;
}

/**
 * Whether a stream is recorded: what it shows, or else what its next session shows.
 * @throws Blocked if neither shows it
 */
export async function recordOf(asking: Asking, stream: CreatedStream): Promise<boolean> {
  const { record } = stream.shown;
  if (typeof record === 'boolean') return record;
  const session = await makeSession(asking, stream);
  if (typeof session['record'] === 'boolean') return session['record'];
  throw new Blocked('a stream or a session that shows record: add --control-url');
}

/** A session as it is shown now, wherever that is; `undefined` where nothing shows it. */
export async function showSession(
  asking: Asking,
  streamId: string,
  id: unknown,
): Promise<{ readonly session: JsonObject; readonly path: string } | undefined> {
  const isIt = (record: JsonObject): boolean => textOf(record['id']) === textOf(id);
  const inStream = `${streamPath(streamId)}/sessions`;
  const ofAll = `/session?parentId=${pathSegment(streamId)}`;
  const lists = [`${inStream}?record=1`, inStream, ofAll, '/session'];
  for (const path of [sessionPath(id), streamPath(id), ...lists]) {
    const session = await findOnPages(asking, path, isIt);
    if (session !== undefined) return { session, path };
  }
  return undefined;
}

/** A new session, settled: a recorded one is ready, as far as there is reason to wait for it. */
async function makeSettled(
  asking: Asking,
  stream: CreatedStream,
  record: boolean,
): Promise<{ readonly id: string; readonly shown: JsonObject | undefined }> {
  const made = await makeSession(asking, stream);
  const id = textOf(made['id']);
  const found = await waitFor(asking, async () => {
    const shown = (await showSession(asking, stream.id, id))?.session;
    return shown !== undefined && (!record || isReady(shown)) ? shown : undefined;
  });
  return { id, shown: found?.value };
}

/** Sessions of one stream, in the order in which they were made. */
export interface SeveralSessions {
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

/** Several sessions of one stream without profiles, recorded and not, all of them settled. */
export const severalSessions: Question<SeveralSessions> = async (asking) => {
  const { provider } = asking;
  if (provider.name === 'given') {
    const listed = await listSessions(asking, recordedSessionsPath(provider.streamId));
    const recorded = listed.map(({ id }) => textOf(id)).toReversed();
    return { streamId: provider.streamId, recorded, unrecorded: [] };
  }
  const stream = await newStream(asking);
  const made = { recorded: [] as string[], unrecorded: [] as string[] };
  let isOn: boolean | undefined;
  for (const record of recordings[encoderOf(asking).name]) {
    if (record !== isOn) await switchRecord(asking, stream.id, record);
    isOn = record;
    const { id } = await makeSettled(asking, stream, record);
    made[record ? 'recorded' : 'unrecorded'].push(id);
    await asking.pause(betweenRecords);
  }
  return { streamId: stream.id, ...made };
};

/** Switches recording as soon as the service allows it: it may refuse until a session has surely ended. */
async function switchRecord(asking: Asking, id: string, record: boolean): Promise<void> {
  let refusal: Blocked | undefined;
  const switched = await waitFor(asking, () =>
    setRecord(asking.send, id, record, 0).catch((error: unknown) => {
      if (!(error instanceof Blocked)) throw error;
      refusal = error;
      return undefined;
    }),
  );
  if (switched === undefined && refusal !== undefined) throw refusal;
}

/** A recorded session that is ready, as it is shown. @throws Blocked if there is none */
export const readySession: Question<{
  readonly streamId: string;
  readonly shown: JsonObject;
}> = async (asking) => {
  const { streamId, recorded } = await asking.ask(severalSessions);
  const shown = (await showSession(asking, streamId, recorded[0]))?.session;
  if (shown !== undefined && isReady(shown)) return { streamId, shown };
  throw new Blocked('a ready recording: none became ready in time; raise --patience');
};

/** A new session of a stream that has no other. @throws Blocked without an encoder */
export async function newSession(
  asking: Asking,
): Promise<{ readonly streamId: string; readonly id: string }> {
  encoderOf(asking);
  const stream = await newStream(asking);
  await setRecord(asking.send, stream.id, true, 0);
  return { streamId: stream.id, id: textOf((await makeSession(asking, stream))['id']) };
}
