import type { NearKeys } from '../../../conformance/target/near-keys.ts';
import type { InterfaceOperationName } from '../../../interface/operation-names.ts';
import type { Json } from '../../../interface/silent-row.ts';

/** The operations that are sent, and how a request names each. */
export const operations: Readonly<Record<OperationName, { method: string; path: string }>> = {
  createStream: { method: 'POST', path: '/stream' },
  listStreams: { method: 'GET', path: '/stream' },
  retrieveStream: { method: 'GET', path: '/stream/{id}' },
  updateStream: { method: 'PATCH', path: '/stream/{id}' },
  deleteStream: { method: 'DELETE', path: '/stream/{id}' },
  setRecord: { method: 'PATCH', path: '/stream/{id}/record' },
  listSessionsOfStream: { method: 'GET', path: '/stream/{id}/sessions' },
  listSessions: { method: 'GET', path: '/session' },
  retrieveSession: { method: 'GET', path: '/session/{id}' },
  terminateStream: { method: 'DELETE', path: '/stream/{id}/terminate' },
  retrievePlayback: { method: 'GET', path: '/playback/{id}' },
  unknownRoute: { method: 'GET', path: '/nothing' },
};

export type OperationName = InterfaceOperationName | 'unknownRoute';

/**
 * An object that a request names by its position, as each side gives it an id of its own: the at-th
 * stream of the sequence that still exists, its at-th session, the at-th stream that was deleted, a
 * stream of another API key, none at all, or what is no id.
 */
export interface Place {
  readonly of: 'stream' | 'session' | 'deleted' | 'other-key' | 'unknown' | 'malformed';
  readonly at: number;
  /** The playback id of the stream instead of its id. */
  readonly by?: 'playbackId';
}

/** How a request says who sends it, where not with the right key as `Bearer KEY`. */
export type Credential =
  | 'none'
  | 'wrong'
  | 'lower-case'
  | 'other-scheme'
  | 'bare'
  | 'empty'
  | NearKey;

/** A key that is almost the right one. It is never sent with a request that creates. */
type NearKey = keyof NearKeys;

/** One request, without anything that only one side knows. */
export interface RequestMove {
  readonly operation: OperationName;
  readonly id?: Place;
  /** Instead of the operation's own method. */
  readonly method?: string;
  readonly path?: 'slash' | 'upper-case';
  readonly query?: Readonly<Record<string, string | Place>>;
  readonly body?: Json;
  /** A body that need not be JSON; instead of `body`. */
  readonly text?: string;
  /** Spaces before the body, so that it has this many bytes. */
  readonly size?: number;
  /** Another content type; `null` for none. */
  readonly type?: string | null;
  readonly credential?: Credential;
  readonly origin?: string;
  /** What a browser asks before a request to another origin. */
  readonly preflight?: { readonly method: string; readonly headers: string };
  /** Sends the ETag that was last seen at this path. */
  readonly cached?: true;
  /** Takes the query that the last page gave for the next one, instead of `query`. */
  readonly follow?: true;
  /** Asks again until the recordings that the response shows are ready. */
  readonly untilReady?: true;
}

/** One step of a sequence: a request, or something that happens to a stream beside the interface. */
export type Move =
  | RequestMove
  /** Goes live; with `seconds` the session ends at once, or when it is over. */
  | { readonly start: number; readonly seconds?: number }
  | { readonly stop: number }
  | { readonly wait: number }
  /** Follows the last page that had a next one. */
  | { readonly follow: true };

export function isRequest(move: Move): move is RequestMove {
  return 'operation' in move;
}
