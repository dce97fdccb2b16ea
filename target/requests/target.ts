import { optionError } from '../../text/option-error.ts';
import type { Send, Transport } from './exchange.ts';
import { type ExtraHeaders, headerSecrets, readExtraHeaders } from './extra-headers.ts';
import { createGate, type WriteGate } from './gate.ts';
import { secretsOf } from './near-keys.ts';
import { createPace, type Pace } from './pace.ts';
import { sendHttp } from './send-http.ts';

/** The implementation that is judged. */
export interface Target {
  /** The service's base URL, with its path prefix and without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sent with every request to the origins of the base URL and of the control API. */
  readonly extraHeaders: ExtraHeaders;
  /** What no report may show: the key, those that are almost right, and the values of headers. */
  readonly secrets: readonly string[];
  readonly send: Transport;
  /** Every request passes through it. */
  readonly gate: WriteGate;
  /** When its requests are sent. */
  readonly pace: Pace;
  /** Milliseconds within which a response must be complete. */
  readonly timeout: number;
  /** Once it is aborted, no further request is sent. */
  readonly stopSignal?: AbortSignal;
}

/** A target as a user names it. */
export interface TargetOptions {
  /** The service's base URL, which includes the API path prefix. */
  baseUrl: string;
  /** Sent only to the base URL's origin, and never shown. */
  apiKey: string;
  /**
   * More headers by their names, such as those that a gateway wants. They are sent only to the origins of the base URL and
   * the control API, and their values are never shown.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds within which a response must be complete; default 10,000. */
  timeout?: number;
  /** How many requests a second are sent at most; by default as many as the target takes. */
  rate?: number | undefined;
  /** Sends the requests; by default they go over the network. Its requests have no signal: after `timeout` the run goes on without the response. */
  send?: Send;
  /**
   * Called with an unexpected exception of this program. The callback must then end everything by aborting
   * `signal`. Without a callback the exception is thrown.
   */
  onInternalError?: (exception: unknown) => void;
}

/**
 * The target that options name.
 * @param gate the gate of the same service, used with another key
 * @throws TypeError with a one-sentence message for invalid options.
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
  const extraHeaders = readExtraHeaders(options.headers);
  extraHeaders.addOrigin(address);
  const rate = options.rate === undefined ? undefined : readCount('rate', options.rate, 1, 100_000);
  const pace = createPace(rate);
  return {
    baseUrl: address,
    apiKey,
    extraHeaders,
    secrets: [...secretsOf(apiKey), ...headerSecrets(options.headers)],
    timeout,
    gate,
    pace,
    send: send ? transportOf(send) : sendHttp,
  };
}

/** Without the signal, which would take a sixth of the time of a run against a mock in this process. */
function transportOf(send: Send): Transport {
  return (url, { signal: _, ...init }) => send(new Request(url, { ...init, redirect: 'manual' }));
}

/** A target that gets no further requests once `stopSignal` is aborted. */
export function sendUntil(stopSignal: AbortSignal, target: Target): Target {
  const refuse = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('the run was interrupted'), { code: 'STOPPED' }));
  return {
    ...target,
    stopSignal,
    send: (url, init) => (stopSignal.aborted ? refuse() : target.send(url, init)),
  };
}

/** Whether requests can be sent to an address: http or https, without a user name or password. */
export function isPlainAddress({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The address in an option of this name. @throws TypeError if no requests can be sent to it. */
export function readAddress(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && isPlainAddress(url) && url.search === '') return url;
  const expected =
    'an http or https address without a user name or query, such as https://example.test/api';
  // The text is not quoted, as it may hold a password or the key.
  throw optionError(TypeError, option, `expected ${expected}`);
}

/** A whole number in an option of this name. @throws TypeError for another value. */
export function readCount(
  name: string,
  value: number,
  min: number,
  max: number,
  whole = 'a whole number',
): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw optionError(TypeError, name, `expected ${whole} from ${min} to ${max}, got ${value}`);
}

/** The longest wait in milliseconds, as a timer cannot wait for weeks. */
const longestWait: number = 24 * 3600 * 1000;

/** Milliseconds in an option of this name. @throws TypeError for another value. */
export function readWait(name: string, value: number, min: number): number {
  return readCount(name, value, min, longestWait, 'a whole number of milliseconds');
}
