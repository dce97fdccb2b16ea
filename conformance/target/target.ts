import { optionError } from '../../option-error.ts';
import { type Bounds, exchange, type Send, type SendTo, type TargetResponse } from './exchange.ts';
import { show } from './expectations.ts';
import { Blocked } from './failure.ts';
import { createGate, longestId, type WriteGate } from './gate.ts';
import { type NearKeys, nearKeys } from './near-keys.ts';
import { sendPaced } from './pacing.ts';
import { sendHttp } from './send-http.ts';

/** The implementation that is judged. */
export interface Target {
  /** The service's base URL, with its path prefix and without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: SendTo;
  /** Every request passes through it. */
  readonly gate: WriteGate;
  /** Milliseconds within which a response must be complete. */
  readonly timeout: number;
}

/** A target as a user names it. */
export interface TargetOptions {
  /** The service's base URL, which includes the API path prefix. */
  baseUrl: string;
  /** Sent only to the base URL's origin, and never shown. */
  apiKey: string;
  /** Milliseconds within which a response must be complete; default 10,000. */
  timeout?: number;
  /** Sends the requests; by default they go over the network. Its requests have no signal: after `timeout` the run goes on without the response. */
  send?: Send;
  /**
   * Called with an unexpected error of this program. The callback must then end everything by aborting
   * `signal`. Without a callback the error is thrown.
   */
  onInternalError?: (error: unknown) => void;
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
  return { baseUrl: address, apiKey, timeout, gate, send: send ? sendWith(send) : sendHttp };
}

/** Without the signal, which would take a sixth of the time of a run against a mock in this process. */
function sendWith(send: Send): SendTo {
  return (url, { signal: _, ...init }) => send(new Request(url, { ...init, redirect: 'manual' }));
}

/** A target that gets no further requests once `stopSignal` is aborted. */
export function sendUntil(stopSignal: AbortSignal, target: Target): Target {
  const refuse = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('the run was interrupted'), { code: 'STOPPED' }));
  return {
    ...target,
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
  if (url !== undefined && isPlainAddress(url)) return url;
  const expected = 'an http or https address without a user name, such as https://example.test/api';
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

/** Which key a request carries: the right one, none, one that no target issued, or a near one. */
type Credential = 'right' | 'none' | 'wrong' | keyof NearKeys;

/** A request to the interface. */
export interface TargetCall {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /** Sent as JSON, except that strings and bytes are sent as they are. */
  readonly body?: unknown;
  /** Whether a body is sent without a content type. */
  readonly untyped?: boolean;
  readonly credential?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Maximum number of bytes that are read of a response. */
const largestResponse = 4 * 1024 * 1024;
/** It has nothing in common with the right key, as it is sent to every operation, and may be logged. */
const wrongKey = 'not-a-key-of-this-service';

/**
 * Sends a request to the interface. It follows no redirect: the key stays at its origin, and an
 * operation must respond itself. After a status 429, or a 503 with `Retry-After`, it waits as long as
 * the target asks and sends the request again.
 * @throws NoResponse or CheckFailure as {@link exchange} does, and NoResponse if the target keeps asking to wait.
 */
export function callTarget(
  target: Target,
  call: TargetCall,
  note?: Bounds['note'],
): Promise<TargetResponse> {
  const { method, path, credential = 'right', body, untyped = false } = call;
  const { baseUrl, timeout, apiKey } = target;
  const keys = { right: apiKey, none: undefined, wrong: wrongKey, ...nearKeys(apiKey) };
  const key = keys[credential];
  const init = {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && !untyped && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body !== undefined && { body: encodeBody(body) }),
  };
  const bounds = { timeout, limit: largestResponse, note };
  return sendPaced(`${method} ${baseUrl}${path}`, timeout, () =>
    exchange(target, baseUrl + path, init, bounds),
  );
}

/** Always bytes, as `Request` gives a text a content type of its own. */
function encodeBody(body: unknown): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/**
 * An identifier from the target as a segment of a path.
 * @throws Blocked for one that is empty, too long or a dot segment.
 */
export function pathSegment(id: unknown): string {
  const text = typeof id === 'number' ? String(id) : id;
  if (typeof text === 'string' && text.length <= longestId && !/^\.{0,2}$/.test(text)) {
    return encodeURIComponent(text.toWellFormed());
  }
  throw new Blocked(`id: expected one that can be put into a path, got ${show(id)}`);
}
