import { unknownPath } from '../../../conformance/target/gate.ts';
import type { NearKeys } from '../../../conformance/target/near-keys.ts';
import type { InterfaceOperationName } from '../../../interface/operation-names.ts';
import { isObject, type Json } from '../../json.ts';

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
  unknownRoute: { method: 'GET', path: unknownPath },
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

/** A field of a body with another value, or missing; `profiles[].width` is that of the first profile. */
export interface Edit {
  readonly field: string;
  readonly value?: Json | undefined;
}

/** One request, without anything that only one side knows. */
export interface RequestMove {
  readonly operation: OperationName;
  readonly id?: Place;
  /** Instead of the operation's own method. */
  readonly method?: string;
  readonly path?: 'slash' | 'upper-case';
  readonly query?: Readonly<Record<string, string | Place>>;
  readonly body?: Readonly<Record<string, Json>>;
  /** What is not usual in the body. */
  readonly edits?: readonly Edit[];
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

/** A move in a few words. */
export function describeMove(move: Move): string {
  if (isRequest(move)) return move.operation;
  if ('wait' in move) return `wait ${move.wait} ms`;
  if ('stop' in move) return 'the stream stops being live';
  if ('follow' in move) return 'follow the link to the next page';
  return move.seconds === undefined ? 'the stream goes live' : `live for ${move.seconds} s`;
}

const oddParts = ['credential', 'method', 'path', 'type', 'origin', 'preflight', 'cached'] as const;

/** What is not usual in a request, in words such as `name: null`; `placeOf` names an object. */
export function oddIn(move: RequestMove, placeOf: (place: Place) => string): string[] {
  const usual = move.operation === 'retrieveSession' ? 'session' : 'stream';
  const named = move.id && placeOf(move.id);
  return [
    ...(named === undefined || named === usual ? [] : [`id: ${named}`]),
    ...oddParts.flatMap((part) => (move[part] === undefined ? [] : [say(part, move[part])])),
    ...(move.size === undefined ? [] : [`body of ${move.size} bytes`]),
    ...(move.text === undefined ? [] : [say('body', move.text)]),
    ...(move.follow ? ['next page'] : []),
    ...Object.entries(move.query ?? {}).map(([name, value]) =>
      say(`query ${name}`, typeof value === 'string' ? value : placeOf(value)),
    ),
    ...(move.edits ?? []).map(({ field, value }) => say(field, value)),
  ];
}

/** Characters of a value that are shown. */
const longest = 40;

function say(name: string, value: unknown): string {
  if (value === true && name === 'cached') return 'if-none-match';
  if (typeof value === 'string' && value.length > longest) {
    return `${name}: ${value.length} characters`;
  }
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return `${name}: ${isObject(value) && text.length > longest ? 'an object' : text}`;
}

/** The body of a request with its edits; `undefined` without one. */
export function bodyOf({ body, edits = [] }: RequestMove): Json | undefined {
  return body && edits.reduce<Record<string, Json>>(applyEdit, { ...body });
}

function applyEdit(body: Record<string, Json>, { field, value }: Edit): Record<string, Json> {
  const [, inner] = /^profiles\[\]\.(.+)$/.exec(field) ?? [];
  if (inner === undefined) return setField(body, field, value);
  const given = Array.isArray(body['profiles']) ? body['profiles'] : [];
  const [first, ...others] = given;
  const profile = isObject(first) ? (first as Record<string, Json>) : usualProfile;
  return { ...body, profiles: [setField(profile, inner, value), ...others] };
}

const usualProfile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1_280, height: 720 };

function setField(
  object: Record<string, Json>,
  field: string,
  value: Json | undefined,
): Record<string, Json> {
  const { [field]: _, ...rest } = object;
  return value === undefined ? rest : { ...rest, [field]: value };
}
