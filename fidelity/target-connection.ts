import { setTimeout } from 'node:timers/promises';
import { cleanUp } from '../target/clean-up.ts';
import { type AccessOptions, type Connection, openConnection } from '../target/connection.ts';
import { mediaFileSeconds } from '../target/providers/command-provider.ts';
import type { Provider } from '../target/providers/provider.ts';
import type { Evidence } from '../target/requests/evidence.ts';
import { Blocked, isOfTarget } from '../target/requests/failure.ts';
import type { WriteGate } from '../target/requests/gate.ts';
import { isSuccess } from '../target/requests/read-response.ts';
import type { Target } from '../target/requests/target.ts';
import { type Creations, createCaller } from '../target/streams/creations.ts';
import {
  type Caller,
  createOwnStream,
  get,
  recordedSessionsPath,
} from '../target/streams/stream-requests.ts';
import { whyUnjudgeable } from '../target/unjudgeable.ts';

/** A target that is learned or compared, and how it is treated. */
export interface ConnectionOptions extends AccessOptions {
  /** The `Origin` of a page, for a service that allows only some; default an unknown one. */
  origin?: string;
  /** Milliseconds since 1970; default `Date.now`. */
  now?: () => number;
  /** Waits for some milliseconds; default a timer that `signal` ends. */
  pause?: (milliseconds: number) => Promise<void>;
}

/** A target, and what was created on it. */
export type TargetConnection = ReturnType<typeof connect>;

/**
 * Reads the options of a connection. It sends nothing yet.
 * @param gate the gate of the same service with another key, or of a service with nothing to protect
 * @throws TypeError for invalid options
 */
export function connect(options: ConnectionOptions, gate?: WriteGate) {
  const { origin = 'https://page.invalid', now = Date.now } = options;
  const connection = openConnection(options, gate);
  const { target, provider, creations, stopSignal } = connection;
  // An aborted timer rejects.
  const wait = (milliseconds: number): Promise<void> =>
    setTimeout(milliseconds, undefined, { signal: stopSignal }).catch(() => {});
  const { pause = wait } = options;
  return {
    ...connection,
    /** What the requests of a page have as their `Origin`. */
    origin,
    now,
    pause,
    /** Sends requests as {@link createCaller} does, and passes each exchange to `note`. */
    createCaller: (note: (exchange: Evidence) => void): Caller =>
      createCaller(target, creations, note),
    /**
     * Checks whether the target can be asked at all. Resolves to why not, in a sentence, or to `undefined`.
     * @param otherAccount the same service with another key
     */
    whyUnjudgeable: (otherAccount?: Connection): Promise<string | undefined> =>
      whyUnjudgeable(connection, otherAccount),
    /**
     * Makes a session, unless a person would have to, or lists the sessions of the given stream. Resolves to
     * why that fails and what to do, in sentences, or to `undefined` if the options are right.
     */
    tryProvider: (): Promise<string | undefined> => tryProvider(target, provider, creations),
  };
}

/**
 * Works with targets, and deletes what was created on them, even if the work fails. Resolves to what remains, a line
 * for each thing. @throws what the work throws, without `onInternalError`
 */
export async function useTargets(
  targets: readonly TargetConnection[],
  { onInternalError }: ConnectionOptions,
  work: () => Promise<void>,
): Promise<string[]> {
  const remaining: string[] = [];
  try {
    await work();
  } catch (exception) {
    if (onInternalError === undefined) throw exception;
    onInternalError(exception);
  } finally {
    remaining.push(...(await Promise.all(targets.map(cleanUp))).flat());
    for (const { target } of targets) target.gate.throwRefused();
  }
  return remaining;
}

const advice = 'Check the option for it, or leave it out and do without sessions.';

/** Lists the sessions of the given stream, or makes one. Resolves to what is wrong and what to do. */
async function tryProvider(target: Target, provider: Provider, creations: Creations) {
  if (provider.name === 'none' || provider.name === 'manual') return undefined;
  const call = createCaller(target, creations, () => {});
  try {
    if (provider.name === 'given') {
      const response = await call(get(recordedSessionsPath(provider.streamId)));
      if (isSuccess(response) && response.text.trim() !== '[]') return undefined;
      return `No recorded session was found: status ${response.status}. ${advice}`;
    }
    const stream = await createOwnStream(call);
    creations.live.add(stream.id);
    // A missing stream key is the service's fault, not that of the options.
    const canBroadcast = provider.name === 'control' || stream.streamKey !== undefined;
    const seconds = provider.name === 'command' ? mediaFileSeconds : 1;
    if (canBroadcast) await provider.broadcast(stream, seconds);
    return undefined;
  } catch (exception) {
    // The service breaks a stated rule, which is found and reported elsewhere.
    if (!isOfTarget(exception)) throw exception;
    if (!(exception instanceof Blocked)) return undefined;
    return `No session could be made: ${exception.message}. ${advice}`;
  }
}
