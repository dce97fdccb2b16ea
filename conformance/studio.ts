import { recommendedProfiles } from '../fixtures/profiles.ts';
import type { JsonObject } from './expectations.ts';
import { Blocked } from './failure.ts';
import {
  type Caller,
  type CreatedStream,
  createCaller,
  createStream,
  keep,
  listRecorded,
  setRecord,
} from './lab.ts';
import { until } from './patience.ts';
import type { Encoder, Provider } from './providers/provider.ts';
import type { Exchange } from './report/report.ts';
import type { Target } from './target.ts';

/** A session whose recording is ready. */
export interface Recording {
  readonly streamId: string;
  readonly session: JsonObject;
  /** The recorded sessions of the stream as they were listed. */
  readonly listed: readonly JsonObject[];
  /** The requests that led here. */
  readonly exchanges: readonly Exchange[];
}

/** What became of five sessions of two streams. */
export interface History {
  /** Its sessions: with recording off, then on, then off. */
  readonly switched: CreatedStream;
  /** Its sessions: while only the other was switched on, then with recording on. */
  readonly other: CreatedStream;
  /** Recorded sessions of `switched`: after the first session, after the second, and at the end. */
  readonly afterOff: readonly JsonObject[];
  readonly afterOn: readonly JsonObject[];
  readonly atEnd: readonly JsonObject[];
  /** Recorded sessions of `other`: after its first session, and at the end. */
  readonly otherBefore: readonly JsonObject[];
  readonly otherAtEnd: readonly JsonObject[];
  /** The session that began with recording on, where the provider showed it. */
  readonly recordedAsShown: JsonObject | undefined;
  readonly exchanges: readonly Exchange[];
}

/** Sessions that take long to make: each is made once in a run and shared by the checks. */
export interface Studio {
  recording(kind: RecordingKind): Promise<Recording>;
  history(): Promise<History>;
  /** Goes live on a stream, and tells whether the session was listed as recorded in time. */
  recordsNextSession(stream: CreatedStream): Promise<boolean>;
  /** Goes live on a stream; resolves to what ends the session and waits until it is ready. */
  goLive(stream: CreatedStream): Promise<() => Promise<boolean>>;
}

/** Whether the recorded stream has profiles, has none, or either. */
type RecordingKind = 'profiles' | 'plain' | 'any';

/** Seconds that each session of the suite lasts. */
const broadcastSeconds = 8;

/** Makes the studio of a run. `patience` is in milliseconds. */
export function createStudio(
  target: Target,
  provider: Provider,
  patience: number,
  created: string[],
): Studio {
  const stage = (): Stage => {
    const exchanges: Exchange[] = [];
    const call = createCaller(target, created, (exchange) => keep(exchanges, exchange));
    return { call, exchanges, provider, patience };
  };
  const history = once(() => makeHistory(stage()));
  const given = once(() => findGiven(stage()));
  return {
    history,
    async recording(kind) {
      if (provider.name === 'given') return ofKind(await given(), kind);
      const { switched, atEnd, other, otherAtEnd, exchanges } = await history();
      const [stream, listed] = kind === 'plain' ? [other, otherAtEnd] : [switched, atEnd];
      return { streamId: stream.id, listed, session: pickReady(listed), exchanges };
    },
    async recordsNextSession(stream) {
      const { call } = stage();
      const before = (await listRecorded(call, stream.id)).length;
      await encoderOf(provider).broadcast(stream, broadcastSeconds);
      const listed = await until(patience, async () => {
        const sessions = await listRecorded(call, stream.id);
        return sessions.length > before || undefined;
      });
      return listed ?? false;
    },
    async goLive(stream) {
      const { call } = stage();
      const stop = await encoderOf(provider).goLive?.(stream);
      if (stop === undefined) {
        throw new Blocked('a session that can be ended at will: add --control-url');
      }
      return async () => {
        await stop();
        const ready = await until(patience, async () => {
          const sessions = await listRecorded(call, stream.id);
          return sessions.some(isReady) || undefined;
        });
        return ready ?? false;
      };
    },
  };
}

interface Stage {
  readonly call: Caller;
  readonly exchanges: readonly Exchange[];
  readonly provider: Provider;
  readonly patience: number;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function makeHistory({ call, exchanges, provider, patience }: Stage): Promise<History> {
  const encoder = encoderOf(provider);
  const live = (stream: CreatedStream) => encoder.broadcast(stream, broadcastSeconds);
  const list = (stream: CreatedStream) => listRecorded(call, stream.id);
  const untilReady = async (stream: CreatedStream) =>
    (await until(patience, async () => {
      const sessions = await list(stream);
      return sessions.some(isReady) ? sessions : undefined;
    })) ?? (await list(stream));

  const switched = await createStream(call, {
    name: 'conformance, switched',
    profiles: recommendedProfiles,
  });
  const other = await createStream(call, { name: 'conformance, other' });
  // A new stream may record by default: whether it does is the target's own affair.
  for (const { id, shown } of [switched, other]) {
    if (shown['record'] !== false) await setRecord(call, id, false);
  }
  await live(switched);
  const afterOff = await list(switched);
  await setRecord(call, switched.id, true);
  await live(other);
  const otherBefore = await list(other);
  const recordedAsShown = await live(switched);
  const afterOn = await untilReady(switched);
  await setRecord(call, switched.id, false);
  await live(switched);
  await setRecord(call, other.id, true);
  await live(other);
  const otherAtEnd = await untilReady(other);
  const atEnd = await list(switched);
  return {
    switched,
    other,
    afterOff,
    afterOn,
    atEnd,
    otherBefore,
    otherAtEnd,
    recordedAsShown,
    exchanges,
  };
}

async function findGiven({ call, exchanges, provider, patience }: Stage): Promise<Recording> {
  if (provider.name !== 'given') throw new Error('no stream was given');
  const { streamId } = provider;
  const listed = await until(patience, async () => {
    const sessions = await listRecorded(call, streamId);
    return sessions.some(isReady) ? sessions : undefined;
  });
  return { streamId, listed: listed ?? [], session: pickReady(listed ?? []), exchanges };
}

function ofKind(recording: Recording, kind: RecordingKind): Recording {
  if (kind === 'any') return recording;
  const hasProfiles = (session: JsonObject): boolean =>
    Array.isArray(session['profiles']) && session['profiles'].length > 0;
  const session = recording.listed.find(
    (candidate) => isReady(candidate) && hasProfiles(candidate) === (kind === 'profiles'),
  );
  if (session !== undefined) return { ...recording, session };
  throw new Blocked(
    `a recorded session ${kind === 'profiles' ? 'with' : 'without'} profiles: the given stream ${recording.streamId} has none; give a stream that has one, or a provider that goes live (--control-url, --ingest-command or --manual)`,
  );
}

function isReady(session: JsonObject): boolean {
  return session['recordingStatus'] === 'ready';
}

function pickReady(sessions: readonly JsonObject[]): JsonObject {
  const session = sessions.find(isReady);
  if (session !== undefined) return session;
  throw new Blocked(
    'a recorded session: none became ready in time; if the target needs longer, raise --patience',
  );
}

function encoderOf(provider: Provider): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(
    'sessions of its own: the suite cannot go live; add --control-url, --ingest-command or --manual',
  );
}
