import { createCaller, keep } from '../checks/check-context.ts';
import type { Exchange } from '../model/report.ts';
import type { Encoder, Provider } from '../providers/provider.ts';
import type { Creations } from '../target/creations.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import {
  type Caller,
  type CreatedStream,
  post,
  recordedPath,
  setRecord,
} from '../target/operations.ts';
import type { Target } from '../target/target.ts';
import { type History, makeHistory } from './history.ts';
import { isReady, listRecorded, listUntil, listUntilReady } from './recorded-list.ts';
import {
  type Listing,
  ofKind,
  ownSessions,
  pickReady,
  type Recording,
  type RecordingKind,
} from './recording.ts';
import { makeFirstSession, makeSeveralSessions, type SeveralSessions } from './several-sessions.ts';

/** What takes long to make: it is made once in a run and shared by the checks. */
export interface SharedSessions {
  /** Answers to requests that create streams of one kind at once. */
  streamsMadeAtOnce(): Promise<Shared<{ readonly responses: readonly TargetResponse[] }>>;
  /** The recorded sessions of a stream, ready or not. @throws Blocked without a provider. */
  listing(): Promise<Listing>;
  /** A ready recording. @throws Blocked without one. */
  recording(kind: RecordingKind): Promise<Recording>;
  history(): Promise<History>;
  /** The first answer of the list of a stream with a recorded session that is no empty array. */
  firstList(): Promise<Shared<{ readonly response: TargetResponse }>>;
  severalSessions(): Promise<SeveralSessions>;
  /** Switches recording; where a session that ends late may stand in the way, until it works. */
  setRecord(call: Caller, id: string, record: boolean): Promise<TargetResponse>;
  /** Goes live on a stream, and lists it until the session is there or the time is over. */
  recordNextSession(call: Caller, stream: CreatedStream): Promise<NextSession>;
  /** Lists a stream until a session is ready or the time is over. */
  untilReady(call: Caller, id: string): Promise<readonly JsonObject[]>;
  /** Goes live on a stream; resolves to what ends the session and waits until it is ready. */
  goLive(stream: CreatedStream): Promise<() => Promise<boolean>>;
}

/** What is shared comes with the requests that led to it. */
export type Shared<Value> = Value & { readonly exchanges: readonly Exchange[] };

/** Whether the next session of a stream was recorded, and the list that shows it. */
export interface NextSession {
  readonly recorded: boolean;
  readonly listed: readonly JsonObject[];
}

/** Seconds that each session of the suite lasts. */
const broadcastSeconds = 8;

/** Streams that are created at once. */
const atOnce = 24;

/** What the sessions of a run are made with. */
interface SessionOptions {
  readonly target: Target;
  readonly provider: Provider;
  /** Milliseconds. */
  readonly patience: number;
  readonly creations: Creations;
  readonly readOnly: boolean;
}

/** What sessions are made with, and the requests that are sent on the way. */
export interface SessionMaker {
  readonly call: Caller;
  readonly exchanges: readonly Exchange[];
  /** What goes live on streams, on all at once where it can. @throws Blocked where the suite cannot. */
  readonly broadcaster: () => Broadcast;
  readonly setRecord: SharedSessions['setRecord'];
  readonly patience: number;
}

/** Goes live on streams; resolves to the sessions, where they are shown. @throws Blocked. */
type Broadcast = (
  streams: readonly CreatedStream[],
) => Promise<readonly (JsonObject | undefined)[]>;

/** Makes the studio of a run. */
export function createSharedSessions(options: SessionOptions): SharedSessions {
  const { target, provider, patience, creations, readOnly } = options;
  const broadcaster = (): Broadcast => {
    const encoder = encoderOf(provider, readOnly);
    return (streams) =>
      Promise.all(
        streams.map((stream) => {
          creations.live.add(stream.id);
          return encoder.broadcast(stream, broadcastSeconds);
        }),
      );
  };
  const switchRecord: SharedSessions['setRecord'] = (call, id, record) =>
    setRecord(call, id, record, creations.live.has(id) ? patience : 0);
  const maker = (): SessionMaker => {
    const exchanges: Exchange[] = [];
    const call = createCaller(target, creations, (exchange) => keep(exchanges, exchange));
    return { call, exchanges, broadcaster, setRecord: switchRecord, patience };
  };
  const untilReady: SharedSessions['untilReady'] = (call, id) => listUntilReady(call, id, patience);
  const givenStream = provider.name === 'given' ? provider.streamId : undefined;
  /** The first answer of a given stream's list. @throws Blocked where it has no recorded session. */
  const lookAtGiven = once(async () => {
    const own = maker();
    const id = givenStream ?? '';
    const response = await own.call({ method: 'GET', path: recordedPath(id) });
    if (response.status === 404 || response.text.trim() === '[]') {
      const got = response.status === 404 ? 'is not known (404)' : 'has no recorded session';
      throw new Blocked(
        `a recorded session: the given stream ${show(id)} ${got}; give one that has in --recorded-stream`,
      );
    }
    return { response, exchanges: own.exchanges };
  });
  const listGiven = async (streamId: string): Promise<Listing> => {
    await lookAtGiven();
    const { call, exchanges } = maker();
    return { streamId, listed: await untilReady(call, streamId), exchanges };
  };
  const history = once(() => makeHistory(maker()));
  const given = givenStream === undefined ? undefined : once(() => listGiven(givenStream));
  const first = once(async () => {
    const own = maker();
    return { ...(await makeFirstSession(own)), exchanges: own.exchanges };
  });
  return {
    history,
    firstList: () => (givenStream === undefined ? first() : lookAtGiven()),
    severalSessions: once(async () => makeSeveralSessions(maker(), await first())),
    streamsMadeAtOnce: once(async () => {
      const { call, exchanges } = maker();
      const create = () => call(post({ name: 'conformance' }));
      return { responses: await Promise.all(Array.from({ length: atOnce }, create)), exchanges };
    }),
    listing: async () => (await given?.()) ?? listingOf(await history(), 'any'),
    async recording(kind) {
      if (given) return ofKind(await given(), kind, readOnly ? '' : `, or ${goLive}`);
      const listing = listingOf(await history(), kind);
      return { ...listing, session: pickReady(listing.listed) };
    },
    setRecord: switchRecord,
    async recordNextSession(call, stream) {
      const before = (await listRecorded(call, stream.id)).length;
      await broadcaster()([stream]);
      const listed = await listUntil(call, stream.id, patience, (list) => list.length > before);
      return { recorded: listed.length > before, listed };
    },
    untilReady,
    async goLive(stream) {
      const { call } = maker();
      const encoder = encoderOf(provider, readOnly);
      creations.live.add(stream.id);
      const stop = await encoder.goLive?.(stream);
      if (stop === undefined) {
        throw new Blocked('a session that can be ended at will: add --control-url');
      }
      return async () => {
        await stop();
        return (await untilReady(call, stream.id)).some(isReady);
      };
    },
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function listingOf({ switched, other, exchanges }: History, kind: RecordingKind): Listing {
  const historyOf = kind === 'plain' ? other : switched;
  if (historyOf.listed.length > 0) ownSessions(historyOf);
  return { streamId: historyOf.stream.id, listed: historyOf.listed, exchanges };
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
