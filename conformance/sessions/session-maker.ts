import type { Encoder, Provider } from '../providers/provider.ts';
import type { Creations } from '../target/creations.ts';
import type { JsonObject } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { type Caller, type CreatedStream, setOwnRecord } from '../target/operations.ts';
import type { Target } from '../target/target.ts';
import { isReady, listRecorded, listUntil } from './recorded-list.ts';

/** What the sessions of a run are made with. */
export interface SessionOptions {
  readonly target: Target;
  readonly provider: Provider;
  /** Milliseconds that a recording may take to become ready. */
  readonly patience: number;
  readonly creations: Creations;
  readonly readOnly: boolean;
}

/** Goes live on streams of the suite, and waits for their recordings. */
export type SessionMaker = ReturnType<typeof createSessionMaker>;

/** Seconds that each session of the suite lasts. */
const broadcastSeconds = 8;

/** What a user can do so that the suite can make sessions. */
export const howToGoLive = 'let the suite go live: add --control-url, --ingest-command or --manual';

/** Makes sessions with the requests that `call` sends. */
export function createSessionMaker(options: SessionOptions, call: Caller) {
  const { patience, creations } = options;
  /**
   * Goes live on streams, on all at once if the provider can. Resolves to the sessions, those that
   * the provider shows. @throws Blocked without an encoder
   */
  const broadcast = async (
    streams: readonly CreatedStream[],
  ): Promise<readonly (JsonObject | undefined)[]> => {
    const encoder = encoderOf(options);
    for (const { id } of streams) creations.live.add(id);
    return Promise.all(streams.map((stream) => encoder.broadcast(stream, broadcastSeconds)));
  };
  return {
    call,
    patience,
    broadcast,
    /** Expects a provider that can go live, before streams are created for it. @throws Blocked */
    expectEncoder: (): void => void encoderOf(options),
    /** Goes live; resolves to a function that ends the session. @throws Blocked if none can be ended at will */
    async goLive(stream: CreatedStream): Promise<() => Promise<void>> {
      const encoder = encoderOf(options);
      creations.live.add(stream.id);
      const stop = await encoder.goLive?.(stream);
      if (stop !== undefined) return stop;
      throw new Blocked('a session that can be ended at will: add --control-url');
    },
    /** Switches recording; after the stream was live, it tries again while the target refuses. */
    setRecord: (id: string, record: boolean) =>
      setOwnRecord(call, id, record, creations.live.has(id) ? patience : 0),
    /**
     * Goes live on a stream, and waits until the session is listed or the time is over. Resolves to whether
     * it was recorded, the list that shows it, and the session, if the provider showed it.
     */
    async recordNextSession(stream: CreatedStream) {
      const before = (await listRecorded(call, stream.id)).length;
      const [begun] = await broadcast([stream]);
      const listed = await listUntil(call, stream.id, patience, (list) => list.length > before);
      return { recorded: listed.length > before, listed, begun };
    },
    /** Lists a stream until it has sessions or the time is over. */
    listUntilSeen: (id: string) => listUntil(call, id, patience, (listed) => listed.length > 0),
    /** Lists a stream until one of its sessions is ready or the time is over. */
    listUntilReady: (id: string) => listUntil(call, id, patience, (listed) => listed.some(isReady)),
  };
}

function encoderOf({ provider, readOnly }: SessionOptions): Encoder {
  if (provider.name !== 'none' && provider.name !== 'given') return provider;
  throw new Blocked(
    readOnly
      ? 'a recorded session: add --recorded-stream with the id of a stream that has one'
      : `sessions of its own: ${howToGoLive}`,
  );
}
