import { recommendedProfiles } from '../fixtures/profiles.ts';
import type { Creations } from './creations.ts';
import type { Answer } from './exchange.ts';
import type { JsonObject } from './expectations.ts';
import { Blocked } from './failure.ts';
import {
  type Caller,
  type CreatedStream,
  createCaller,
  createStream,
  keep,
  listRecorded,
  recordedPath,
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

/** What became of five streams, each live once; of each, its recorded sessions as they were listed. */
export interface History {
  /** Recording on, a session, recording off. It has the recommended profiles. */
  readonly switched: Past;
  /** The same before the session, and after it, before recording was turned off. */
  readonly beforeOn: readonly JsonObject[];
  readonly afterOn: readonly JsonObject[];
  /** Recording on, a session. It has no profiles. */
  readonly other: Past;
  /** A session, recording on. */
  readonly earlier: Past;
  /** Recording on and off, a session. */
  readonly turnedOff: Past;
  /** A session while recording of another stream was on. */
  readonly bystander: Past;
  /** The session that began with recording on, where the provider showed it. */
  readonly recordedAsShown: JsonObject | undefined;
  readonly exchanges: readonly Exchange[];
}

/** A stream, and its recorded sessions at the end. */
interface Past {
  readonly stream: CreatedStream;
  readonly listed: readonly JsonObject[];
}

/** Sessions that take long to make: each is made once in a run and shared by the checks. */
export interface Studio {
  recording(kind: RecordingKind): Promise<Recording>;
  history(): Promise<History>;
  /** Goes live on a stream, and tells whether the session was listed as recorded in time. */
  recordsNextSession(stream: CreatedStream): Promise<boolean>;
  /** Goes live on a stream; the first answer of its list that is no empty array, or the last one. */
  listAfterSession(stream: CreatedStream, call: Caller): Promise<Answer>;
  /** Goes live on a stream; resolves to what ends the session and waits until it is ready. */
  goLive(stream: CreatedStream): Promise<() => Promise<boolean>>;
}

/** Whether the recorded stream has profiles, has none, or either. */
type RecordingKind = 'profiles' | 'plain' | 'any';

/** Seconds that each session of the suite lasts. */
const broadcastSeconds = 8;

/** What the sessions of a run are made with. */
interface StudioOptions {
  readonly target: Target;
  readonly provider: Provider;
  /** Milliseconds. */
  readonly patience: number;
  readonly creations: Creations;
  readonly readOnly: boolean;
}

/** Makes the studio of a run. */
export function createStudio(options: StudioOptions): Studio {
  const { target, provider, patience, creations, readOnly } = options;
  const broadcaster = (): Broadcast => {
    const encoder = encoderOf(provider, readOnly);
    return (stream) => {
      creations.live.add(stream.id);
      return encoder.broadcast(stream, broadcastSeconds);
    };
  };
  const stage = (): Stage => {
    const exchanges: Exchange[] = [];
    const call = createCaller(target, creations, (exchange) => keep(exchanges, exchange));
    return { call, exchanges, provider, broadcaster, patience };
  };
  const history = once(() => makeHistory(stage()));
  const given = once(() => findGiven(stage()));
  return {
    history,
    async recording(kind) {
      if (provider.name === 'given') return ofKind(await given(), kind, readOnly);
      const { switched, other, exchanges } = await history();
      const { stream, listed } = kind === 'plain' ? other : switched;
      return { streamId: stream.id, listed, session: pickReady(listed), exchanges };
    },
    async recordsNextSession(stream) {
      const { call } = stage();
      const before = (await listRecorded(call, stream.id)).length;
      await broadcaster()(stream);
      const listed = await until(patience, async () => {
        const sessions = await listRecorded(call, stream.id);
        return sessions.length > before || undefined;
      });
      return listed ?? false;
    },
    async listAfterSession(stream, call) {
      const list = () => call({ method: 'GET', path: recordedPath(stream.id) });
      await broadcaster()(stream);
      const found = await until(patience, async () => {
        const answer = await list();
        return answer.text.trim() === '[]' ? undefined : answer;
      });
      return found ?? list();
    },
    async goLive(stream) {
      const { call } = stage();
      const encoder = encoderOf(provider, readOnly);
      creations.live.add(stream.id);
      const stop = await encoder.goLive?.(stream);
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

/** Goes live on a stream and ends; resolves to the session where it is told. */
type Broadcast = (stream: CreatedStream) => Promise<JsonObject | undefined>;

interface Stage {
  readonly call: Caller;
  readonly exchanges: readonly Exchange[];
  readonly provider: Provider;
  /** @throws Blocked where the suite cannot go live. */
  readonly broadcaster: () => Broadcast;
  readonly patience: number;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function makeHistory({ call, exchanges, broadcaster, patience }: Stage): Promise<History> {
  const broadcast = broadcaster();
  const list = (stream: CreatedStream) => listRecorded(call, stream.id);
  const untilReady = async (stream: CreatedStream) =>
    (await until(patience, async () => {
      const sessions = await list(stream);
      return sessions.some(isReady) ? sessions : undefined;
    })) ?? (await list(stream));

  const create = async (name: string, more: JsonObject = {}): Promise<CreatedStream> => {
    const stream = await createStream(call, { name: `conformance, ${name}`, ...more });
    // A new stream may record by default: whether it does is the target's own affair.
    if (stream.shown['record'] !== false) await setRecord(call, stream.id, false);
    return stream;
  };
  const switched = await create('switched', { profiles: recommendedProfiles });
  const other = await create('other');
  const earlier = await create('earlier');
  const turnedOff = await create('turned off');
  const bystander = await create('bystander');

  await broadcast(earlier);
  await setRecord(call, earlier.id, true);
  await setRecord(call, turnedOff.id, true);
  await setRecord(call, turnedOff.id, false);
  await broadcast(turnedOff);
  await setRecord(call, switched.id, true);
  await broadcast(bystander);
  const beforeOn = await list(switched);
  const recordedAsShown = await broadcast(switched);
  const afterOn = await untilReady(switched);
  await setRecord(call, switched.id, false);
  await setRecord(call, other.id, true);
  await broadcast(other);
  // The last session to become ready: by then what is wrongly recorded is listed as well.
  const otherListed = await untilReady(other);
  const past = async (stream: CreatedStream): Promise<Past> => ({
    stream,
    listed: await list(stream),
  });
  return {
    switched: await past(switched),
    beforeOn,
    afterOn,
    other: { stream: other, listed: otherListed },
    earlier: await past(earlier),
    turnedOff: await past(turnedOff),
    bystander: await past(bystander),
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

function ofKind(recording: Recording, kind: RecordingKind, readOnly: boolean): Recording {
  if (kind === 'any') return recording;
  const hasProfiles = (session: JsonObject): boolean =>
    Array.isArray(session['profiles']) && session['profiles'].length > 0;
  const session = recording.listed.find(
    (candidate) => isReady(candidate) && hasProfiles(candidate) === (kind === 'profiles'),
  );
  if (session !== undefined) return { ...recording, session };
  throw new Blocked(
    `a recorded session ${kind === 'profiles' ? 'with' : 'without'} profiles: the given stream ${recording.streamId} has none; give a stream that has one${readOnly ? '' : `, or ${goLive}`}`,
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

/** How the suite can come by sessions of its own. */
const goLive = 'let the suite go live: add --control-url, --ingest-command or --manual';

function encoderOf(provider: Provider, readOnly: boolean): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(
    readOnly
      ? 'a recorded session: add --recorded-stream with the id of a stream that has one'
      : `sessions of its own: ${goLive}`,
  );
}
