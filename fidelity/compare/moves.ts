import type { TargetCall } from '../../conformance/target/target.ts';
import type { Asked, Mutation } from '../../interface/errors.ts';
import type { Json } from '../../interface/json.ts';
import { makeWrong, routeOf, withHeader } from '../calls.ts';

/**
 * An object that a request names by its position, as each side gives it an id of its own: the at-th
 * stream of the sequence that still exists, its at-th session, the at-th stream that was deleted, a
 * stream of another API key, none at all, or what is no id.
 */
export interface RecordPlace {
  readonly of: 'stream' | 'session' | 'deleted' | 'other-key' | 'unknown' | 'malformed';
  readonly at: number;
  /** The playback id of the stream instead of its id. */
  readonly by?: 'playbackId';
}

/** A way in which a request is wrong, and the name of that error in a dialect. */
export interface Mistake {
  readonly error: string;
  readonly mutation: Mutation;
}

/** The JSON of a body. */
export type Body = Readonly<Record<string, Json>>;

/** One request, without anything that only one side knows. */
export interface RequestMove {
  readonly operation: Asked;
  /** What the id in the path is of, or `{id}` in the query. */
  readonly id?: RecordPlace;
  readonly query?: string;
  readonly body?: Body;
  readonly wrong?: readonly Mistake[];
  /** Instead of the operation's own method. */
  readonly method?: string;
  readonly origin?: string;
  /** What a browser asks before a request to another origin. */
  readonly preflight?: { readonly method: string; readonly headers: string };
  /** Sends the ETag that was last seen at this path. */
  readonly cached?: true;
  /** Asks for the next page of this list, where it told of one. */
  readonly follow?: true;
  /** Asks again until the recordings that the response shows are ready. */
  readonly untilReady?: true;
}

/** One step of a sequence: a request, or something that happens to a stream beside the interface. */
export type Move =
  | RequestMove
  /** Goes live; with `seconds` the session ends at once, or when it is over. */
  | { readonly start: number; readonly seconds?: number }
  | { readonly stop: number };

/** The method with which a request is sent. */
export function methodOf({ operation, method, wrong = [] }: RequestMove): string {
  const [other] = wrong.flatMap(({ mutation }) => ('method' in mutation ? mutation.method : []));
  return other ?? method ?? routeOf(operation).method;
}

/** A move in a few words. */
export function describeMove(move: Move): string {
  if ('operation' in move) return move.operation;
  if ('stop' in move) return 'the stream stops being live';
  return move.seconds === undefined ? 'the stream goes live' : `live for ${move.seconds} s`;
}

/** What is not usual in a request: the names of errors, and words for what is no error. */
export function oddIn(move: RequestMove): string[] {
  const { wrong = [], method, origin, preflight, cached, follow } = move;
  const odd: readonly (string | false | undefined)[] = [
    ...wrong.map(({ error }) => error),
    preflight === undefined ? method : `preflight of ${preflight.method}`,
    origin !== undefined && preflight === undefined && 'origin',
    cached && 'if-none-match',
    follow && 'next page',
  ];
  return odd.filter((one) => typeof one === 'string');
}

/** What only one side knows of a request. */
interface Known {
  readonly apiKey: string;
  /** The id that a place has, encoded for a path. */
  readonly idOf: (place: RecordPlace) => string;
  /** The ETag that was last seen at a path. */
  readonly etagOf: (path: string) => string | undefined;
  /** The path and query of the next page. */
  readonly next: string | undefined;
}

/** The request of a move on one side: with that side's ids, key and ETags. */
export function toCall(move: RequestMove, known: Known): TargetCall {
  const { operation, id, query, body, origin, preflight, cached, wrong = [] } = move;
  const { path } = routeOf(operation);
  let call: TargetCall = {
    method: methodOf(move),
    path: query === undefined ? path : `${path}?${query}`,
    ...(body && { body }),
    headers: {
      ...(origin !== undefined && { origin }),
      ...(preflight && {
        'access-control-request-method': preflight.method,
        'access-control-request-headers': preflight.headers,
      }),
    },
  };
  for (const { mutation } of wrong) call = makeWrong(call, mutation, known.apiKey);
  const named = call.path.replace('{id}', () => (id === undefined ? '' : known.idOf(id)));
  call = { ...call, path: move.follow ? (known.next ?? named) : named };
  const etag = cached && (known.etagOf(call.path) ?? '"never-given"');
  return etag ? withHeader(call, 'if-none-match', etag) : call;
}
