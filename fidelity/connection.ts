import { setTimeout } from 'node:timers/promises';
import type { Evidence } from '../conformance/model/report.ts';
import { createProvider, type ProviderChoice } from '../conformance/providers/choice.ts';
import type { Provider } from '../conformance/providers/provider.ts';
import { cleanUp } from '../conformance/run/clean-up.ts';
import { preflight } from '../conformance/run/preflight.ts';
import { type Creations, createCaller, startCreations } from '../conformance/target/creations.ts';
import { isSuccess } from '../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../conformance/target/failure.ts';
import type { WriteGate } from '../conformance/target/gate.ts';
import {
  type Caller,
  createOwnStream,
  get,
  recordedSessionsPath,
} from '../conformance/target/operations.ts';
import {
  readTarget,
  readWait,
  sendUntil,
  type TargetOptions,
} from '../conformance/target/read-target.ts';
import type { Target } from '../conformance/target/target.ts';

/** A target to learn or compare, and how to treat it. */
export interface ConnectionOptions extends TargetOptions {
  /** How sessions are made; without it, requests that need sessions are not sent. */
  provider?: ProviderChoice;
  /** The `Origin` of a page, for a service that allows only some origins; default an unknown one. */
  origin?: string;
  /** Sends no request that writes. The only possible provider is then a given stream. */
  readOnly?: boolean;
  /** Milliseconds that a recording may take to become ready; default 120,000. */
  patience?: number;
  /** Milliseconds that a target may take to start; default 0. */
  waitFor?: number;
  /** Ends the run early; cleaning up then takes at most 5 s. */
  signal?: AbortSignal | undefined;
  /** Ends cleaning up, too. */
  cleanUpSignal?: AbortSignal | undefined;
}

/** A target, and what was created on it. */
export type TargetConnection = ReturnType<typeof connect>;

/**
 * Reads the options of a connection. It sends nothing yet.
 * @param gate the gate of the same service with another key
 * @throws TypeError for invalid options
 */
export function connect(options: ConnectionOptions, gate?: WriteGate) {
  const { readOnly = false, origin = 'https://page.invalid' } = options;
  const patience = readWait('patience', options.patience ?? 120_000, 1);
  const waitFor = readWait('waitFor', options.waitFor ?? 0, 0);
  const stop = options.signal ?? new AbortController().signal;
  const unstoppable = readTarget(options, gate);
  const target = sendUntil(stop, unstoppable);
  const limits = { patience, stop, readOnly, unstoppable };
  const provider: Provider = createProvider(target, options.provider, limits);
  const creations = startCreations();
  const givenStream = provider.name === 'given' ? provider.streamId : undefined;
  return {
    target,
    provider,
    creations,
    readOnly,
    /** The `Origin` of requests from a page. */
    origin,
    /** Milliseconds. */
    patience,
    /** Aborted when the run is to end early. */
    stop,
    /** Waits for some milliseconds, or until the run is to end early. */
    pause: (milliseconds: number): Promise<void> =>
      setTimeout(milliseconds, undefined, { signal: stop }).catch(() => {}),
    /** Sends requests as {@link createCaller} does, and passes each exchange to `note`. */
    createCaller: (note: (exchange: Evidence) => void): Caller =>
      createCaller(target, creations, note),
    /**
     * Checks whether the target can be asked at all. Resolves to why not, in a sentence, or to `undefined`.
     * @param other the same service with another key
     */
    preflight(other?: { target: Target; creations: Creations }): Promise<string | undefined> {
      const call = createCaller(target, creations, () => {});
      const callAsOther = other && createCaller(other.target, other.creations, () => {});
      const { baseUrl } = target;
      return preflight({ baseUrl, call, callAsOther, readOnly, givenStream, waitFor, stop });
    },
    /**
     * Makes a session, unless a person would have to, or lists the sessions of the given stream. Resolves to
     * why that fails and what to do, in sentences, or to `undefined` if the options are right.
     */
    trySource: (): Promise<string | undefined> => trySource(target, provider, creations),
    /** Deletes what was created. Resolves to what is left on the target, one line each. */
    cleanUp: (): Promise<string[]> =>
      cleanUp(unstoppable, creations, { stop, hurry: options.cleanUpSignal }),
  };
}

const advice = 'Check the option for it, or leave it out and do without sessions.';

/** Lists the sessions of the given stream, or makes one. Resolves to what is wrong and what to do. */
async function trySource(
  target: Target,
  provider: Provider,
  creations: Creations,
): Promise<string | undefined> {
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
    const isPossible = provider.name === 'control' || stream.streamKey !== undefined;
    if (isPossible) await provider.broadcast(stream, 1);
    return undefined;
  } catch (error) {
    // The service breaks a stated rule, which is found and reported elsewhere.
    if (!isOfTarget(error)) throw error;
    if (!(error instanceof Blocked)) return undefined;
    return `No session could be made, ${error.message}. ${advice}`;
  }
}
