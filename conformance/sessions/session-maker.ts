import type { Connection } from '../../target/connection.ts';
import { broadcastSeconds, encoderOf, goLive } from '../../target/providers/provider.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { until } from '../../target/requests/scheduling.ts';
import { isReady, listRecorded } from '../../target/streams/recorded-list.ts';
import {
  type Caller,
  type CreatedStream,
  setOwnRecord,
} from '../../target/streams/stream-requests.ts';
import type { Milestone, Waits } from './waits.ts';

/** Goes live on streams of the suite, and waits for their recordings. */
export type SessionMaker = ReturnType<typeof createSessionMaker>;

/** Makes sessions with the requests that `call` sends. The waits are those of the run. */
export function createSessionMaker(connection: Connection, call: Caller, waits: Waits) {
  const { patience, creations } = connection;
  const listUntil = async (
    id: string,
    isEnough: (sessions: readonly JsonObject[]) => boolean,
    milestone: Milestone,
    longest: number = waits.longest(milestone),
  ) => {
    let sessions: readonly JsonObject[] = [];
    await until(longest, async () => {
      sessions = await listRecorded(call, id);
      return isEnough(sessions) || undefined;
    });
    waits.end(milestone, sessions);
    return sessions;
  };
  /** Lists a stream until `isEnough` or the time is over; resolves to the last list. */
  const list = (
    id: string,
    isEnough: (sessions: readonly JsonObject[]) => boolean,
    longest?: number,
  ) => listUntil(id, isEnough, 'listed', longest);
  /**
   * Goes live on streams for about `seconds`, on all at once if the provider can. Resolves to those sessions that the
   * provider shows.
   * @throws Blocked without an encoder.
   */
  const broadcast = async (
    streams: readonly CreatedStream[],
    seconds: number = broadcastSeconds,
  ): Promise<readonly (JsonObject | undefined)[]> => {
    const encoder = encoderOf(connection);
    for (const { id } of streams) creations.live.add(id);
    return Promise.all(streams.map((stream) => encoder.broadcast(stream, seconds)));
  };
  /**
   * Goes live on a stream, and waits until the session is listed or the time is over. Resolves to whether it was recorded,
   * the list that shows it, and the session, if the provider showed it.
   */
  const recordNext = async (stream: CreatedStream, longest?: number) => {
    const before = (await listRecorded(call, stream.id)).length;
    const [begunSession] = await broadcast([stream]);
    const sessions = await list(stream.id, ({ length }) => length > before, longest);
    return { recorded: sessions.length > before, sessions, begunSession };
  };
  return {
    call,
    broadcast,
    list,
    /** Expects a provider that can go live, before streams are created for it. @throws Blocked if there is none. */
    expectEncoder: (): void => void encoderOf(connection),
    goLive: (stream: CreatedStream) => goLive(connection, stream),
    /** Switches recording; if the stream was live, it tries again while the target refuses. */
    setRecord: (id: string, record: boolean) =>
      setOwnRecord(call, id, record, creations.live.has(id) ? patience : 0),
    recordNextSession: (stream: CreatedStream) => recordNext(stream),
    /** {@link recordNextSession}, however much time the run has spent in vain. */
    recordNextSessionPatiently: (stream: CreatedStream) => recordNext(stream, patience),
    /** Lists a stream until it has sessions or the time is over. */
    listUntilAny: (id: string) => list(id, ({ length }) => length > 0),
    /** Lists a stream until one of its sessions is ready or the time is over. */
    listUntilReady: (id: string) => listUntil(id, hasReady, 'ready'),
    /** {@link listUntilReady}, however much time the run has spent in vain. */
    listPatientlyUntilReady: (id: string) => listUntil(id, hasReady, 'ready', patience),
  };
}

function hasReady(sessions: readonly JsonObject[]): boolean {
  return sessions.some(isReady);
}
