import { optionError } from '../../option-error.ts';
import type { Send } from './exchange.ts';
import { createGate, type WriteGate } from './gate.ts';
import { sendHttp } from './send-http.ts';
import { readAddress, type Target } from './target.ts';

/** A target as a user names it. */
export interface TargetOptions {
  /** The service's base address, which includes the API path prefix. */
  baseUrl: string;
  /** Sent only to the base address's origin, and never shown. */
  apiKey: string;
  /** Milliseconds within which a response must be complete; default 10,000. */
  timeout?: number;
  /** Sends the requests; by default they go over the network. Its requests have no signal: after `timeout` the run goes on without the response. */
  send?: Send;
  /**
   * Called with a fault of this program, after which everything ends as if `signal` had been aborted: abort
   * it. Without it, the fault is thrown.
   */
  onFault?: (error: unknown) => void;
}

/** A timer cannot wait for weeks. */
const longestWait: number = 24 * 3600 * 1000;

/**
 * The target that options name.
 * @param gate that of the same service as another key sees it
 * @throws TypeError, in one sentence, for invalid options
 */
export function readTarget(options: TargetOptions, gate: WriteGate = createGate()): Target {
  const { baseUrl, apiKey, send } = options;
  const timeout = readWait('timeout', options.timeout ?? 10_000, 1);
  const url = readAddress('baseUrl', baseUrl);
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw optionError(TypeError, 'apiKey', 'expected a key of visible ASCII characters');
  }
  const address = url.href.replace(/[?#].*$/, '').replace(/\/+$/, '');
  gate.addBase(address);
  return {
    baseUrl: address,
    apiKey,
    timeout,
    gate,
    // A `Request` with a signal costs a sixth of the whole run against a mock in this process.
    send:
      send === undefined ? sendHttp : (url, { signal: _, ...init }) => send(new Request(url, init)),
  };
}

/** A whole number in an option of this name. @throws TypeError for another value */
export function readCount(
  name: string,
  value: number,
  least: number,
  most: number,
  whole = 'a whole number',
): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw optionError(TypeError, name, `expected ${whole} from ${least} to ${most}, got ${value}`);
}

/** Milliseconds in an option of this name. @throws TypeError for another value */
export function readWait(name: string, value: number, least: number): number {
  return readCount(name, value, least, longestWait, 'a whole number of milliseconds');
}

/** A target that gets no further request once the run is to end. */
export function sendUntil(stop: AbortSignal, target: Target): Target {
  const refuse = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('the run was interrupted'), { code: 'STOPPED' }));
  return {
    ...target,
    send: (url, init) => (stop.aborted ? refuse() : target.send(url, init)),
  };
}

/** Milliseconds that work may take to undo something once everything is to end. */
const longestEnding = 2_000;

/** Resolves a while after everything is to end: what is still under way then waits for a request that hangs. */
export function whenOverdue(stop: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = () => void setTimeout(() => resolve(undefined), longestEnding).unref();
    stop?.addEventListener('abort', wait, { once: true });
  });
}
