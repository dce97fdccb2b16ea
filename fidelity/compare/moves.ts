import type { JsonObject } from '../../conformance/target/expectations.ts';
import { creationPath, isReading } from '../../conformance/target/gate.ts';
import type { TargetCall } from '../../conformance/target/target.ts';
import type { Endpoint } from '../../interface/errors.ts';
import { routeOf } from '../calls.ts';

/**
 * An object that a request names by its position, as each side gives it an id of its own: the at-th
 * stream of the sequence that still exists, its at-th session, the at-th stream that was deleted, none at
 * all, or what is no id.
 */
export interface RecordPlace {
  readonly of: 'stream' | 'session' | 'deleted' | 'unknown' | 'malformed';
  readonly at: number;
  /** The playback id of the stream instead of its id. */
  readonly by?: 'playbackId';
}

/** One request, without anything that only one side knows. */
export interface RequestMove {
  readonly operation: Endpoint;
  /** The request, with `{id}` in its path where an id stands, and `{key}` in a header for the API key. */
  readonly call: TargetCall;
  /** What the id is of. */
  readonly id?: RecordPlace;
  /** What is not usual: the names of errors, and words for what is no error. */
  readonly odd?: readonly string[];
  /** Asks again until the recordings that the response shows are ready. */
  readonly untilReady?: true;
}

/** One step of a sequence: a request, or something that happens to a stream beside the interface. */
export type Move =
  | RequestMove
  /** Goes live; with `seconds` the session ends at once, or when it is over. */
  | { readonly start: number; readonly seconds?: number }
  | { readonly stop: number };

/** What a good request has beside its method and path. */
interface Content extends Omit<RequestMove, 'operation' | 'call'> {
  readonly body?: JsonObject;
  readonly query?: string;
}

/** A good request of an operation. */
export function requestOf(
  operation: Endpoint,
  { body, query, ...more }: Content = {},
): RequestMove {
  const { method, path } = routeOf(operation);
  const address = query === undefined ? path : `${path}?${query}`;
  return { operation, call: { method, path: address, ...(body && { body }) }, ...more };
}

/** Whether a request may change something. */
export function isWrite({ call }: RequestMove): boolean {
  return !isReading(call.method);
}

/** Whether a request creates a stream. */
export function creates({ call: { method, path } }: RequestMove): boolean {
  return method === 'POST' && creationPath.test(path);
}

/** A move in a few words. */
export function describeMove(move: Move): string {
  if ('operation' in move) return move.operation;
  if ('stop' in move) return 'the stream stops being live';
  return move.seconds === undefined ? 'the stream goes live' : `live for ${move.seconds} s`;
}
