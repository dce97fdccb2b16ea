import { show } from '../../text/phrases.ts';
import { type Bounds, exchange, type TargetResponse } from './exchange.ts';
import { Blocked, NoResponse } from './failure.ts';
import { type NearKey, nearKeys, nearKeyWords } from './near-keys.ts';
import type { Target } from './target.ts';
import { longestId } from './well-known.ts';

/** Which key a request carries: the right one, none, one that no target issued, or a near one. */
type Credential = 'right' | 'none' | 'wrong' | NearKey;

/** A request to the interface. */
export interface TargetCall {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /**
   * Whether the path is below the origin of the base URL instead. Then no key is sent: another program may answer there,
   * which should not see it, and what is there belongs to no account.
   */
  readonly atOrigin?: boolean;
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
 * the target asks, but at most the timeout, and sends the request again.
 * @throws NoResponse or CheckFailure as {@link exchange} does, and NoResponse if the target keeps asking to wait.
 */
export function callTarget(
  target: Target,
  call: TargetCall,
  note?: Bounds['note'],
): Promise<TargetResponse> {
  const { method, path, atOrigin = false, body, untyped = false } = call;
  const { timeout, apiKey } = target;
  const baseUrl = atOrigin ? new URL(target.baseUrl).origin : target.baseUrl;
  const { key, shown } = keyFor(atOrigin ? 'none' : (call.credential ?? 'right'), apiKey);
  const headersWith = (shownKey: string | undefined) => ({
    ...(shownKey !== undefined && { authorization: `Bearer ${shownKey}` }),
    ...(body !== undefined && !untyped && { 'content-type': 'application/json' }),
    ...call.headers,
  });
  const init = {
    method,
    headers: headersWith(key),
    ...(body !== undefined && { body: encodeBody(body) }),
  };
  const bounds = { timeout, limit: largestResponse, note, shownHeaders: headersWith(shown) };
  return sendPaced(target, `${method} ${baseUrl}${path}`, () =>
    exchange(target, baseUrl + path, init, bounds),
  );
}

/**
 * The key of a request, and what its evidence shows instead: a reader pastes the right key, and must see that a near one
 * was sent. @throws Blocked for a near key that the right one does not have.
 */
function keyFor(credential: Credential, apiKey: string): Partial<Record<'key' | 'shown', string>> {
  if (credential === 'none') return {};
  if (credential === 'right') return { key: apiKey, shown: apiKey };
  if (credential === 'wrong') return { key: wrongKey, shown: wrongKey };
  const key = nearKeys(apiKey)[credential];
  if (key !== undefined) return { key, shown: `[a key that ${nearKeyWords[credential]}]` };
  const missing = credential === 'letterCase' ? 'letters' : 'punctuation';
  throw new Blocked(`needs an API key with ${missing}`);
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

/**
 * Sends a request when it is its turn, and again after the pauses that the target asks for. All requests of a run
 * pause together.
 * @param where names the request in messages
 * @throws NoResponse if the target keeps asking to wait, and what `send` throws.
 */
export async function sendPaced(
  { timeout, stopSignal, pace }: Target,
  where: string,
  send: () => Promise<TargetResponse>,
): Promise<TargetResponse> {
  for (let attempt = 1; ; attempt++) {
    await pace.turn(stopSignal);
    const response = await send();
    const pause = pauseAsked(response);
    if (pause === undefined) {
      pace.quicken();
      return response;
    }
    if (attempt === maxAttempts) {
      throw new NoResponse(
        `${where}: expected a response, was asked to wait ${attempt} times (status ${response.status})`,
        String(response.status),
      );
    }
    pace.pause(Math.min(pause, timeout));
  }
}

const maxAttempts = 8;

/** Milliseconds that the target asks to wait, as seconds or as a date: rate limits are left open (interface 8). */
function pauseAsked({ status, headers }: TargetResponse): number | undefined {
  const after = headers.get('retry-after');
  if (status !== 429 && (status !== 503 || after === null)) return undefined;
  const seconds = Number(after ?? 1);
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(after ?? '') - sentAt;
  return Number.isNaN(wait) ? 1_000 : Math.max(20, wait);
}
