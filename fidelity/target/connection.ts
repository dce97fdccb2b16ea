import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../../conformance/model/report.ts';
import { createProvider, type ProviderChoice } from '../../conformance/providers/choice.ts';
import type { Encoder, Provider } from '../../conformance/providers/provider.ts';
import { cleanUp } from '../../conformance/run/clean-up.ts';
import { preflight } from '../../conformance/run/preflight.ts';
import {
  type Creations,
  createCaller,
  startCreations,
} from '../../conformance/target/creations.ts';
import type { SendTo } from '../../conformance/target/exchange.ts';
import { isSuccess } from '../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../conformance/target/failure.ts';
import type { Gate } from '../../conformance/target/gate.ts';
import {
  type Caller,
  type CreatedStream,
  createStream,
  get,
  recordedSessionsPath,
} from '../../conformance/target/operations.ts';
import {
  readTarget,
  readWait,
  sendUntil,
  type TargetOptions,
} from '../../conformance/target/read-target.ts';
import { callTarget, type Target } from '../../conformance/target/target.ts';

/** A target that is learned or compared, and how it is treated. */
export interface ConnectionOptions extends TargetOptions {
  /** How sessions are made; without one, what needs them is not asked. */
  provider?: ProviderChoice;
  /** The `Origin` of a page, for a service that allows only some; default an unknown one. */
  origin?: string;
  /** Sends no request that writes. The provider can then only be a given stream. */
  readOnly?: boolean;
  /** Milliseconds that a recording may take to become ready; default 120,000. */
  patience?: number;
  /** Milliseconds that a target may take to start; default 0. */
  waitFor?: number;
  /** Ends everything early; cleaning up then takes at most 5 s. */
  signal?: AbortSignal;
  /** Ends cleaning up as well. */
  cleanUpSignal?: AbortSignal;
}

/** A target with what was created on it. */
export interface Connection {
  readonly target: Target;
  readonly provider: Provider;
  readonly creations: Creations;
  readonly readOnly: boolean;
  /** What the requests of a page have as their `Origin`. */
  readonly origin: string;
  /** Milliseconds. */
  readonly patience: number;
  /** Aborted if everything is to end early. */
  readonly stop: AbortSignal;
  /** Waits for some milliseconds, or until everything is to end early. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Sends requests as {@link createCaller} does, with the exchanges noted by `note`. */
  createCaller(note: (exchange: Exchange) => void): Caller;
  /**
   * Why the target cannot be asked at all, in a sentence; `undefined` if it can.
   * @param other the same service as another key sees it
   */
  preflight(other?: Pick<Connection, 'target' | 'creations'>): Promise<string | undefined>;
  /**
   * Makes a session, unless a person would have to, or lists those of the given stream. Resolves to why
   * that fails and what to do, in sentences; to `undefined` if nothing is wrong with the options.
   */
  trySource(): Promise<string | undefined>;
  /** Deletes what was created. Resolves to what remains on the target, a line for each thing. */
  cleanUp(): Promise<string[]>;
}

/**
 * Reads the options of a connection; nothing is sent yet.
 * @param listen what sends the requests instead, made from what would send them
 * @param gate that of the same service as another key sees it
 * @throws TypeError for invalid options
 */
export function connect(
  options: ConnectionOptions,
  listen: (send: SendTo) => SendTo = (send) => send,
  gate?: Gate,
): Connection {
  const { readOnly = false, origin = 'https://page.invalid' } = options;
  const patience = readWait('patience', options.patience ?? 120_000, 1);
  const waitFor = readWait('waitFor', options.waitFor ?? 0, 0);
  const stop = options.signal ?? new AbortController().signal;
  const given = readTarget(options, gate);
  const unstoppable = { ...given, send: listen(given.send) };
  const target = sendUntil(stop, unstoppable);
  const limits = { patience, stop, readOnly, unstoppable };
  const provider = createProvider(target, options.provider, limits);
  const creations = startCreations();
  const givenStream = provider.name === 'given' ? provider.streamId : undefined;
  return {
    ...{ target, provider, creations, readOnly, origin, patience, stop },
    // An aborted timer rejects.
    pause: (milliseconds) => setTimeout(milliseconds, undefined, { signal: stop }).catch(() => {}),
    createCaller: (note) => createCaller(target, creations, note),
    preflight(other) {
      const call = createCaller(target, creations, () => {});
      const callAsOther = other && createCaller(other.target, other.creations, () => {});
      const { baseUrl } = target;
      return preflight({ baseUrl, call, callAsOther, readOnly, givenStream, waitFor, stop });
    },
    trySource: () => trySource(target, provider, creations),
    cleanUp: () => cleanUp(unstoppable, creations, { stop, hurry: options.cleanUpSignal }),
  };
}

const sourceOptions = { control: '--control-url', command: '--ingest-command' } as const;

/**
 * Makes a session on a new stream, or lists those of the given one. Resolves to what is wrong with the
 * option, and what to do, in sentences.
 */
async function trySource(
  target: Target,
  provider: Provider,
  creations: Creations,
): Promise<string | undefined> {
  if (provider.name === 'given') return whyNotGiven(target, provider.streamId);
  if (provider.name !== 'control' && provider.name !== 'command') return undefined;
  const stream = await createStream(createCaller(target, creations, () => {})).catch(ignoreFailure);
  if (stream === undefined) return undefined;
  creations.live.add(stream.id);
  const problem = await whyNotLive(provider, stream);
  const option = sourceOptions[provider.name];
  return (
    problem &&
    `No session could be made, ${problem}. Check ${option}, or leave it out and do without sessions.`
  );
}

async function whyNotLive(encoder: Encoder, stream: CreatedStream): Promise<string | undefined> {
  // A service that shows no stream key is at fault itself.
  if (encoder.name === 'command' && stream.streamKey === undefined) return undefined;
  try {
    await encoder.broadcast(stream, 1);
    return undefined;
  } catch (error) {
    if (error instanceof Blocked) return error.message;
    throw error;
  }
}

async function whyNotGiven(target: Target, streamId: string): Promise<string | undefined> {
  const advice = 'Give the id of a stream that has a recorded session, or leave the option out.';
  try {
    const list = get(recordedSessionsPath(streamId));
    const response = await callTarget(target, list, () => {});
    const isEmpty = response.text.trim() === '[]';
    if (isSuccess(response) && !isEmpty) return undefined;
    const got = isSuccess(response) ? 'an empty list' : `status ${response.status}`;
    return `The stream in --recorded-stream shows no recorded session: GET ${list.path} got ${got}. ${advice}`;
  } catch (error) {
    if (error instanceof Blocked) return `--recorded-stream: ${error.message}. ${advice}`;
    return ignoreFailure(error);
  }
}

/** The service does not do what is stated: that is found out and said elsewhere. */
function ignoreFailure(error: unknown): undefined {
  if (!isOfTarget(error)) throw error;
}
