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
  streamPath,
} from '../../../conformance/target/operations.ts';
import { poll } from './poll.ts';
import type { ProbeContext } from './probe.ts';

/** Seconds that each session lasts. */
const seconds = 8;

/** What goes live. @throws Blocked without an encoder */
export function encoderOf({ provider }: ProbeContext): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(
    'a session of its own: add --control-url, --ingest-command or --manual, so that sessions can be made',
  );
}

/** Goes live on a stream and ends. Resolves to the session, or to its id alone. @throws Blocked if no list shows it */
export async function makeSession(
  context: ProbeContext,
  stream: CreatedStream,
): Promise<JsonObject> {
  const before = new Set(await idsOf(context, stream.id));
  context.creations.live.add(stream.id);
  const session = await encoderOf(context).broadcast(stream, seconds);
  if (typeof session?.['id'] === 'string') return session;
  if (context.provider.name === 'control') {
    throw new Blocked('a session that was made: the response of the control API shows no id');
  }
  const id = await poll(context, context.patience, async () =>
    (await idsOf(context, stream.id)).find((one) => !before.has(one)),
  );
  if (id === undefined) throw new Blocked('a session that was made: no list shows it');
  return { id: id.value };
}

/** Ids of the sessions in both lists of a stream; none by the control API, which tells the id itself. */
async function idsOf(context: ProbeContext, streamId: string): Promise<string[]> {
  const lists = [recordedSessionsPath(streamId), `${streamPath(streamId)}/sessions`];
  const ids: unknown[] = [];
  for (const path of context.provider.name === 'control' ? [] : lists) {
    const response = await context.send(get(path));
    if (isSuccess(response)) ids.push(...readObjects(response).map(({ id }) => id));
  }
  return ids.filter((id) => typeof id === 'string');
}

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

/** A stream that is live until the last row was asked. @throws Blocked without a control API */
export async function liveStream(
  context: ProbeContext,
  stream: CreatedStream,
): Promise<() => Promise<void>> {
  const encoder = encoderOf(context);
  context.creations.live.add(stream.id);
  const stop = await encoder.goLive?.(stream);
  if (stop === undefined) {
    throw new Blocked('a session that can be ended at will: add --control-url');
  }
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
