import { type Bounds, exchange, type Send, type TargetResponse } from './exchange.ts';
import { show } from './expectations.ts';
import { Blocked, NoResponse } from './failure.ts';
import { type NearKeys, nearKeys } from './near-keys.ts';

/** The implementation that is judged. */
export interface Target {
  /** The service's base address, with its path prefix and no slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: Send;
  /** Milliseconds in which an answer has to be complete. */
  readonly timeout: number;
}

/** Which key a request carries: the owner's, none, one that no target has given out, or a near one. */
export type Credential = 'right' | 'none' | 'wrong' | keyof NearKeys;

/** A request to the interface. */
export interface Call {
  readonly method: string;
  /** Below the base address. */
  readonly path: string;
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown;
  readonly credential?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
}

const callLimit = 4 * 1024 * 1024;
const longestId = 1024;
/** No part of the owner's key: it is sent with every operation, and may be logged. */
const wrongKey = 'not-a-key-of-this-service';

/**
 * An identifier from the target as a segment of a path.
 * @throws Blocked for one that would lead elsewhere, or nowhere.
 */
export function pathSegment(id: unknown): string {
  const text = typeof id === 'number' ? String(id) : id;
  if (typeof text === 'string' && text.length <= longestId && !/^\.{0,2}$/.test(text)) {
    return encodeURIComponent(text.toWellFormed());
  }
  throw new Blocked(`id: expected one that can be put into a path, got ${show(id)}`);
}

/**
 * Sends a request to the interface. Redirects are not followed: the key stays at its origin, and an
 * operation answers by itself.
 * A status 429, or a 503 with a `Retry-After`, is no answer: the request is repeated after the pause
 * that the target asks for.
 * @throws NoAnswer or CheckFailure as {@link exchange} does.
 */
export async function callTarget(
  target: Target,
  call: Call,
  note: Bounds['note'],
): Promise<TargetResponse> {
  let left = mostPauses * target.timeout;
  for (let attempt = 1; ; attempt++) {
    const response = await callOnce(target, call, note);
    const asked = askedPause(response);
    if (asked === undefined) return response;
    if (attempt === mostAttempts || left <= 0) {
      throw new NoResponse(
        `${call.method} ${target.baseUrl}${call.path}: expected an answer, got ${attempt} times status ${response.status}, for too many requests`,
        '429',
      );
    }
    const pause = Math.min(asked, target.timeout, left);
    left -= pause;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Requests until a target that asks for slowness has answered. */
const mostAttempts = 5;
/** What the pauses between them may take together, as a multiple of one request's time limit. */
const mostPauses = 2;

/** Milliseconds that a target wants to be left alone: limits are its own affair (interface 8). */
function askedPause({ status, headers }: TargetResponse): number | undefined {
  const isLimit = status === 429 || (status === 503 && headers.has('retry-after'));
  if (!isLimit) return undefined;
  const seconds = Number(headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) ? Math.max(0.02, seconds) * 1000 : 1_000;
}

function callOnce(target: Target, call: Call, note: Bounds['note']): Promise<TargetResponse> {
  const { credential = 'right', body } = call;
  const keys = { right: target.apiKey, wrong: wrongKey, none: undefined };
  const apiKey = { ...keys, ...nearKeys(target.apiKey) }[credential];
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const request = new Request(target.baseUrl + call.path, {
    method: call.method,
    redirect: 'manual',
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(text !== undefined && { body: text }),
  });
  return exchange(target.send, request, text, { timeout: target.timeout, limit: callLimit, note });
}

/** Whether a request can be sent to an address: one with a user name or a password is refused. */
export function isPlainAddress({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
