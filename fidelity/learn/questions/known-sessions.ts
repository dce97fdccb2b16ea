import type { Encoder } from '../../../conformance/providers/provider.ts';
import { fail, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { recordedSessionsPath, setRecord } from '../../../conformance/target/operations.ts';
import { textOf } from '../../json.ts';
import { isReady, listSessions } from './list-sessions.ts';
import { encoderOf, makeRecorded } from './make-session.ts';
import { poll } from './poll.ts';
import type { ProbeContext, Question } from './probe.ts';
import { lengthToSee, newStream, profile } from './streams.ts';

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

/** By the control API, enough sessions for a page to be as long as expected. */
function recordingsOf({ expected }: ProbeContext, { name }: Encoder): readonly boolean[] {
  const [first, ...others] = recordings[name];
  const missing = lengthToSee(expected('sessions.page-size')) - others.filter(Boolean).length;
  if (name !== 'control' || missing <= 0) return recordings[name];
  return [first, ...Array<boolean>(missing).fill(true), ...others];
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
    made[record ? 'recorded' : 'unrecorded'].push(textOf(session['id']));
    await context.pause(betweenSessions);
  }
  await waitUntilReady(context, stream.id, made.recorded.at(-1) ?? '');
  await expectOnlyRecorded(context, stream.id, made.recorded);
  return { streamId: stream.id, ...made };
};

/** Milliseconds, so that times of creation differ. */
const betweenSessions = 2;

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

/** With `record=1` a list shows sessions that were recorded, and no others (interface 4.3). */
async function expectOnlyRecorded(
  context: ProbeContext,
  streamId: string,
  recorded: readonly string[],
): Promise<void> {
  const listed = await listSessions(context, recordedSessionsPath(streamId));
  if (listed.some(({ id }) => !recorded.includes(textOf(id)))) {
    fail('record=1: expected the recorded sessions of the stream only, got others', listed);
  }
  if (listed.length === 0) throw new Blocked('a recorded session: none was listed in time');
}

async function givenSessions(context: ProbeContext, streamId: string): Promise<SeveralSessions> {
  const recorded = await listSessions(context, recordedSessionsPath(streamId));
  const ids = recorded.map(({ id }) => textOf(id));
  return { streamId, recorded: ids.toReversed(), unrecorded: [] };
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

/** A session of a stream that has no other. Lists show it, unless that takes too long. */
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
  const id = textOf((await makeRecorded(context, stream, true))['id']);
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
