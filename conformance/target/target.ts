import { optionError } from '../../option-error.ts';
import { type Bounds, exchange, type SendTo, type TargetResponse } from './exchange.ts';
import { show } from './expectations.ts';
import { Blocked, NoResponse } from './failure.ts';
import { longestId, type WriteGate } from './gate.ts';
import { type NearKeys, nearKeys } from './near-keys.ts';

/** The implementation that is judged. */
export interface Target {
  /** The service's base address, with its path prefix and without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: SendTo;
  /** Every request passes through it. */
  readonly gate: WriteGate;
  /** Milliseconds within which a response must be complete. */
  readonly timeout: number;
}

/** Which key a request carries: the right one, none, one that no target issued, or a near one. */
type Credential = 'right' | 'none' | 'wrong' | keyof NearKeys;

/** A request to the interface. */
export interface TargetCall {
  readonly method: string;
  /** Below the base address. */
  readonly path: string;
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown;
  /** Whether a body goes without a content type. */
  readonly untyped?: boolean;
  readonly credential?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
}

const largestResponse = 4 * 1024 * 1024;
/** Not a part of the right key: it goes with every operation, and may be logged. */
const wrongKey = 'not-a-key-of-this-service';

/**
 * An identifier from the target as a segment of a path.
 * @throws Blocked for one that is empty, too long or a dot segment
 */
export function pathSegment(id: unknown): string {
  const text = typeof id === 'number' ? String(id) : id;
  if (typeof text === 'string' && text.length <= longestId && !/^\.{0,2}$/.test(text)) {
    return encodeURIComponent(text.toWellFormed());
  }
  throw new Blocked(`id: expected one that can be put into a path, got ${show(id)}`);
}

/**
 * Sends a request to the interface. It follows no redirect: the key stays at its origin, and an
 * operation must respond itself. After a status 429, or a 503 with `Retry-After`, it waits as long as
 * the target asks and sends the request again.
 * @throws NoResponse, also if the target keeps asking to wait; CheckFailure as {@link exchange} does
 */
export function callTarget(
  target: Target,
  call: TargetCall,
  note: Bounds['note'],
): Promise<TargetResponse> {
  const where = `${call.method} ${target.baseUrl}${call.path}`;
  return sendPaced(where, target.timeout, () => callOnce(target, call, note));
}

/**
 * Sends a request again after the pauses that the target asks for.
 * @param where names the request in messages
 * @param timeout milliseconds within which one response must be complete
 * @throws NoResponse if the target keeps asking to wait; what `send` throws
 */
export async function sendPaced(
  where: string,
  timeout: number,
  send: () => Promise<TargetResponse>,
): Promise<TargetResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await send();
    const asked = pauseAsked(response);
    if (asked === undefined) return response;
    if (attempt === maxAttempts) {
      throw new NoResponse(
        `${where}: expected a response, got status ${response.status} (too many requests) ${attempt} times`,
        '429',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(asked, timeout)));
  }
}

const maxAttempts = 4;

/** Milliseconds that the target asks to wait: rate limits are left open (interface 8). */
function pauseAsked({ status, headers }: TargetResponse): number | undefined {
  const after = headers.get('retry-after');
  if (status !== 429 && (status !== 503 || after === null)) return undefined;
  const seconds = Number(after ?? 1);
  return Number.isFinite(seconds) ? Math.max(0.02, seconds) * 1000 : 1_000;
}

function callOnce(target: Target, call: TargetCall, note: Bounds['note']): Promise<TargetResponse> {
  const { credential = 'right', body, untyped = false } = call;
  const apiKey = keyFor(credential, target.apiKey);
  const text = isAsSent(body) ? body : JSON.stringify(body);
  const init = {
    method: call.method,
    redirect: 'manual',
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(text !== undefined && !untyped && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    // `Request` gives a text a content type of its own.
    ...(text !== undefined && {
      body: untyped && typeof text === 'string' ? new TextEncoder().encode(text) : text,
    }),
  } as const;
  const { timeout } = target;
  const bounds = { timeout, limit: largestResponse, note };
  return exchange(target, target.baseUrl + call.path, init, bounds);
}

function isAsSent(body: unknown): body is string | Uint8Array<ArrayBuffer> | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array;
}

function keyFor(credential: Credential, apiKey: string): string | undefined {
  const keys = { right: apiKey, none: undefined, wrong: wrongKey, ...nearKeys(apiKey) };
  return keys[credential];
}

/** Whether requests can be sent to an address: http or https, without a user name or password. */
export function isPlainAddress({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The address in an option of this name. @throws TypeError where no requests can be sent to it */
export function readAddress(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && isPlainAddress(url)) return url;
  const expected = 'an http or https address without a user name, such as https://example.test/api';
  // The text is not quoted, as it may hold a password or the key.
  throw optionError(TypeError, option, `expected ${expected}`);
}
