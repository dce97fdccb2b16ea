import type { Exchange } from '../model/report.ts';
import { createCaller, keepLast } from '../target/creations.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { get, recordedSessionsPath, requestStream } from '../target/operations.ts';
import { type History, makeHistory } from './history.ts';
import { type LiveSwitches, makeLiveSwitches } from './live-switches.ts';
import {
  type Listing,
  ofKind,
  ownSessions,
  pickReady,
  type Recording,
  type RecordingKind,
} from './recording.ts';
import {
  createSessionMaker,
  howToGoLive,
  type SessionMaker,
  type SessionOptions,
} from './session-maker.ts';
import { makeFirstSession, makeSeveralSessions, type SeveralSessions } from './several-sessions.ts';

/** Streams and sessions that are made once in a run, as they take long, and shared by the checks. */
export interface SharedSessions extends SharedRecordings {
  /** Responses to requests that create streams with one name at once. */
  streamsMadeAtOnce(): Promise<Shared<{ readonly responses: readonly TargetResponse[] }>>;
  history(): Promise<Shared<History>>;
  liveSwitches(): Promise<Shared<LiveSwitches>>;
  severalSessions(): Promise<Shared<SeveralSessions>>;
}

/** Recorded sessions, of a given stream or of the suite's own. */
interface SharedRecordings {
  /** The recorded sessions of a stream, ready or not. @throws Blocked without a provider */
  listing(): Promise<Shared<Listing>>;
  /** A ready recording. @throws Blocked if there is none */
  recording(kind: RecordingKind): Promise<Shared<Recording>>;
  /** The first list, of a stream with a recorded session, that was not an empty array. */
  firstList(): Promise<Shared<FirstList>>;
}

/** The response to a request for a list, and whose it is. */
interface FirstList {
  readonly streamId: string;
  readonly response: TargetResponse;
}

/** A value with the requests that led to it. */
export type Shared<Value> = Value & { readonly exchanges: readonly Exchange[] };

/** Makes a value at its first call, and returns it at every later one. */
type Share = <Value>(make: (maker: SessionMaker) => Promise<Value>) => () => Promise<Shared<Value>>;

/** The shared sessions of a run. Each is made when a check first asks for it. */
export function createSharedSessions(options: SessionOptions): SharedSessions {
  const { target, provider, creations, readOnly } = options;
  const share: Share = (make) =>
    once(async () => {
      const exchanges: Exchange[] = [];
      const call = createCaller(target, creations, keepLast(exchanges));
      return { ...(await make(createSessionMaker(options, call))), exchanges };
    });
  const history = share(makeHistory);
  const first = share(makeFirstSession);
  const recordings: SharedRecordings =
    provider.name === 'given'
      ? shareGiven(share, provider.streamId, readOnly ? '' : `, or ${howToGoLive}`)
      : {
          firstList: first,
          listing: async () => listingOf(await history(), 'any'),
          async recording(kind) {
            const listing = listingOf(await history(), kind);
            return { ...listing, session: pickReady(listing.listed) };
          },
        };
  return {
    ...recordings,
    history,
    liveSwitches: share(makeLiveSwitches),
    streamsMadeAtOnce: share(createAtOnce),
    severalSessions: share(async (maker) => makeSeveralSessions(maker, await first())),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Streams that are created at once. */
const atOnce = 24;

async function createAtOnce({ call }: SessionMaker): Promise<{ responses: TargetResponse[] }> {
  const create = () => requestStream(call);
  return { responses: await Promise.all(Array.from({ length: atOnce }, create)) };
}

/** @param otherwise what a user can do instead of giving another stream */
function shareGiven(share: Share, streamId: string, otherwise: string): SharedRecordings {
  const firstList = share(async ({ call }) => {
    const response = await call(get(recordedSessionsPath(streamId)));
    if (response.status === 404 || response.text.trim() === '[]') {
      const got = response.status === 404 ? 'is not known (404)' : 'has no recorded session';
      throw new Blocked(
        `a recorded session: the given stream ${show(streamId)} ${got}; give --recorded-stream one with a recorded session`,
      );
    }
    return { streamId, response };
  });
  const listing = share(async ({ listUntilSeen, listUntilReady }) => {
    await firstList();
    const seen = await listUntilSeen(streamId);
    return { streamId, seen, listed: await listUntilReady(streamId) };
  });
  return {
    firstList,
    listing,
    async recording(kind) {
      const given = await listing();
      return { ...given, session: ofKind(given, kind, otherwise) };
    },
  };
}

function listingOf(
  { switched, plain, seen, exchanges }: Shared<History>,
  kind: RecordingKind,
): Shared<Listing> {
  const { stream, listed, own } = kind === 'plain' ? plain : switched;
  if (kind === 'plain' && stream.hasProfiles) {
    throw new Blocked('a stream without profiles: the target creates none; see CREATE-13');
  }
  if (listed.length > 0) ownSessions({ listed, own });
  return { streamId: stream.id, listed, seen: kind === 'plain' ? listed : seen, exchanges };
}
