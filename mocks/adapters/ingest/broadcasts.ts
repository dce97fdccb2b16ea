import type { Session } from '../../../interface/types.ts';
import { Problem, type ProblemCode } from '../../messages/problem.ts';
import { type Mock, openWorldOf } from '../../mock.ts';
import { whenSaved } from '../../service/commit.ts';
import { startSession, stopSession } from '../../service/sessions.ts';
import { testerOfHandle } from '../../service/testers/world-handle.ts';
import { announce, type OpenWorld, type Requester } from '../../service/world.ts';
import type { Incoming } from '../../state/ingest.ts';

/** What is known about an encoder's media. */
type MediaFacts = Pick<Incoming, 'videoCodec' | 'audioCodec'>;

/** A connected encoder or camera, and its session. */
export interface Broadcast {
  readonly sessionId: string;
  /** Notes how many bytes came in, how many video frames they complete, and what they tell about the media. */
  receive(bytes: number, frames: number, facts: MediaFacts): void;
  /** Ends its session, unless that has already ended. */
  end(): Promise<void>;
}

/** Milliseconds without data after which an encoder counts as disconnected. */
export const longestSilence = 5000;

/** Maximum number of encoders and cameras at once. */
export const maxBroadcasts = 100;

/** One of the places for encoders and cameras: taken when one asks to go live, and free again when it is gone. */
export interface Place {
  /**
   * Begins the session, as the control API does.
   * @throws Problem as {@link findByStreamKey} does; 400 for a suspended stream; 429 if the mock is full; 503 once
   * the server is closed.
   */
  goLive(): Promise<Broadcast>;
  /** Ends the session, if it has begun, and disconnects. */
  leave(): Promise<void>;
}

/** The encoders and cameras of one server. */
export type Broadcasts = ReturnType<typeof createBroadcasts>;

/** Called with the reason why an encoder or a camera was refused. */
export type RefusalListener = (protocol: Incoming['protocol'], reason: string) => void;

/** Makes the sessions of the encoders and cameras that connect to a mock. */
export function createBroadcasts(mock: Mock, onRefusal: RefusalListener = () => {}) {
  const places = new Set<Place>();
  let isClosed = false;
  const find = async (streamKey: string) => {
    const worlds = (await mock.worlds({ kept: true })).map(
      (handle) => testerOfHandle(handle).world,
    );
    return findByStreamKey(worlds, streamKey);
  };
  /**
   * Takes a place. `disconnect` is called when it becomes free: because it was left, because somebody else ended the
   * session, or because nothing came for five seconds.
   * @throws Problem 429 if no place is free.
   */
  const take = (
    protocol: Incoming['protocol'],
    streamKey: string,
    disconnect: () => void,
  ): Place => {
    if (places.size >= maxBroadcasts) {
      throw refusal('full', `at most ${maxBroadcasts} encoders and cameras at once`, 'another');
    }
    let broadcast: Broadcast | undefined;
    const free = (): void => {
      if (places.delete(place)) disconnect();
    };
    const place: Place = {
      async goLive() {
        try {
          const handle = await openWorldOf(mock, (await find(streamKey)).world.apiKey);
          if (isClosed) {
            throw refusal('unavailable', 'a running server', 'one that is shutting down');
          }
          const tester = testerOfHandle(handle);
          const { world } = tester;
          // Nothing may come between these two calls, or a session might stay live for ever.
          const session = startSession(tester, findByStreamKey([world], streamKey).stream.id);
          broadcast = follow({ mock, tester, session, protocol }, free);
          await world.saved;
          return broadcast;
        } catch (exception) {
          // Whoever asked to go live says why it failed, and then hangs up.
          places.delete(place);
          await broadcast?.end();
          throw exception;
        }
      },
      async leave() {
        await broadcast?.end();
        free();
      },
    };
    places.add(place);
    return place;
  };
  return {
    find,
    onRefusal,
    take,
    /** Takes a place and begins the session. @throws Problem as {@link Place.goLive} does; 429 if no place is free. */
    async goLive(...parts: Parameters<typeof take>): Promise<Broadcast> {
      return take(...parts).goLive();
    },
    /** Ends all sessions. After that, none can begin. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...places].map((place) => place.leave()));
    },
  };
}

/**
 * Finds the stream of a key, and its world.
 * @throws Problem 404 if no stream in these worlds has the key, or several have it; 409 if the stream is live.
 */
function findByStreamKey(worlds: readonly OpenWorld[], streamKey: string) {
  const matches = worlds.flatMap((world) =>
    world.state.records.streamsByKey(streamKey).map((stream) => ({ world, stream })),
  );
  const [match] = matches;
  if (match === undefined) throw badKey('unknown', 'one that no stream has');
  if (matches.length > 1) throw badKey('unknown', `one that ${matches.length} streams have`);
  const { world, stream } = match;
  if (world.state.records.liveSession(stream.id) === undefined) return match;
  throw badKey('conflict', `that of stream ${stream.id}, which is live`);
}

function badKey(code: ProblemCode, got: string): Problem {
  const expected = 'the streamKey of exactly one stream that is not live';
  return new Problem(code, { path: 'stream key', expected, got });
}

function refusal(code: ProblemCode, expected: string, got: string): Problem {
  return new Problem(code, { path: 'ingest', expected, got });
}

/** A session, and what sends its media. */
interface LiveSource {
  readonly mock: Mock;
  readonly tester: Requester;
  readonly session: Session;
  readonly protocol: Incoming['protocol'];
}

/** Follows a session until it ends, and shows testers once a second what comes in. */
function follow({ mock, tester, session, protocol }: LiveSource, onEnd: () => void): Broadcast {
  const { world } = tester;
  const { id: sessionId, parentId: streamId } = session;
  const begin = performance.now();
  const facts: MediaFacts = {};
  let receivedAt = begin;
  let counted = { at: begin, bytes: 0, frames: 0 };
  let isOver = false;
  const detach = (): void => {
    isOver = true;
    clearInterval(timer);
    world.listeners.delete(detachIfEnded);
    world.incoming.delete(streamId);
    announce(world, 'ingest');
    onEnd();
  };
  const detachIfEnded = (): void => {
    const isLive = world.state.records.liveSession(streamId)?.id === sessionId;
    if (!isOver && (world.dropped || !isLive)) detach();
  };
  const end = async (): Promise<void> => {
    if (isOver) return;
    detach();
    const seconds = (performance.now() - begin) / 1000;
    // If the store cannot keep this change, the next request to the world learns that.
    await whenSaved(world, () => stopSession(tester, streamId, seconds)).catch(() => {});
  };
  const report = (): void => {
    const now = performance.now();
    const perSecond = (count: number) => Math.round((1000 * count) / Math.max(1, now - counted.at));
    const bitrate = 8 * perSecond(counted.bytes);
    const frameRate = perSecond(counted.frames) || undefined;
    world.incoming.set(streamId, { streamId, protocol, ...facts, bitrate, frameRate });
    counted = { at: now, bytes: 0, frames: 0 };
    announce(world, 'ingest');
  };
  const timer = setInterval(() => {
    if (performance.now() - receivedAt > longestSilence) return void end();
    // If other processes share the store, this keeps the world with this one.
    openWorldOf(mock, world.apiKey).catch(() => {});
    report();
  }, 1000);
  world.listeners.add(detachIfEnded);
  report();
  return {
    sessionId,
    receive(bytes, frames, newFacts) {
      receivedAt = performance.now();
      counted.bytes += bytes;
      counted.frames += frames;
      Object.assign(facts, newFacts);
    },
    end,
  };
}
