import type { Endpoint, ErrorId } from '../../interface/dialect/errors.ts';
import type { TargetCall } from '../../target/requests/call.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { creationPath, isSafeMethod } from '../../target/requests/well-known.ts';
import { routeOf } from '../operation-calls.ts';

/**
 * An object that a request names by its position, because each side gives it an id of its own. Counted from
 * the newest, it is a stream that still exists, a session, a deleted stream or a live one; or no object has
 * the id, or the text is not an id.
 */
export interface Position {
  readonly of: 'stream' | 'session' | 'deleted' | 'live' | 'unknown' | 'malformed';
  readonly at: number;
  /** The playback id of the stream instead of its id. */
  readonly by?: 'playbackId';
}

/** The object that a request names. An archive does so by its id, or its playback id, on the second side. */
export type Reference = Position | { readonly of: 'archived'; readonly id: string };

/** What is unusual about a request: an error by its id, or something else in a word. */
export type Trait =
  | ErrorId
  | 'origin'
  | 'preflight'
  | 'HEAD'
  | 'OPTIONS'
  | 'POST'
  | 'session of a deleted stream';

/** One request, without anything that only one side knows. */
export interface RequestMove {
  readonly endpoint: Endpoint;
  /** The request, with `{id}` in its path where an id stands, and `{key}` in a header for the API key. */
  readonly call: TargetCall;
  /** The object whose id it is. */
  readonly id?: Reference;
  readonly traits?: readonly Trait[];
  /** Asks again until the recordings in the response are ready. */
  readonly untilReady?: true;
}

/** Goes live; with `seconds` the session ends at once, or when that time has passed. */
export interface StartMove {
  readonly start: Reference;
  readonly seconds?: number;
}

/** One step of a sequence: a request, or a live session that begins or ends. */
export type Move = RequestMove | StartMove | { readonly stop: Reference };

/** What a good request has in addition to its method and path. */
interface Content extends Omit<RequestMove, 'endpoint' | 'call'> {
  readonly body?: JsonObject | undefined;
  readonly query?: string | undefined;
}

/** A good request of an operation. */
export function requestOf(endpoint: Endpoint, { body, query, ...more }: Content = {}): RequestMove {
  const { method, path } = routeOf(endpoint);
  const address = query === undefined ? path : `${path}?${query}`;
  return { endpoint, call: { method, path: address, ...(body && { body }) }, ...more };
}

/** Whether a request may change something. */
export function isWrite({ call }: RequestMove): boolean {
  return !isSafeMethod(call.method);
}

export function creates({ call: { method, path } }: RequestMove): boolean {
  return method === 'POST' && creationPath.test(path);
}

/** A move in a few words. */
export function describeMove(move: Move): string {
  if ('endpoint' in move) return move.endpoint;
  if ('stop' in move) return 'the stream stops being live';
  return move.seconds === undefined ? 'the stream goes live' : `live for ${move.seconds} s`;
}
