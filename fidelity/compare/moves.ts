import { deflateSync, gzipSync } from 'node:zlib';
import { unknownId, unknownPath } from '../../conformance/target/gate.ts';
import type { Call } from '../../conformance/target/target.ts';
import type { Asked, Mutation } from '../../interface/errors.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { isObject, type Json } from '../json.ts';

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
  /** Asks for the next page of the last list that had one. */
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

/** The method and the path of an operation, with `{id}` where the id stands. */
export function routeOf(operation: Asked): { readonly method: string; readonly path: string } {
  if (operation === 'unknownRoute') return { method: 'GET', path: unknownPath };
  const { method, path } = interfaceOperations[operation];
  return { method, path: path.replace(/\{\w+\}/, '{id}') };
}

/** The method with which a request is sent. */
export function methodOf({ operation, method, wrong = [] }: RequestMove): string {
  const [other] = wrong.flatMap(({ mutation }) => ('method' in mutation ? mutation.method : []));
  return other ?? method ?? routeOf(operation).method;
}

/** A move in a few words. */
export function describeMove(move: Move): string {
  if ('operation' in move) return move.operation;
  if ('wait' in move) return `wait ${move.wait} ms`;
  if ('stop' in move) return 'the stream stops being live';
  if ('follow' in move) return 'follow the link to the next page';
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
export function toCall(move: RequestMove, known: Known): Call {
  const { operation, id, query, body, origin, preflight, cached, wrong = [] } = move;
  const { path } = routeOf(operation);
  let call: Call = {
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
  for (const { mutation } of wrong) call = { ...call, ...mutate(call, mutation, known.apiKey) };
  const named = call.path.replace('{id}', () => (id === undefined ? '' : known.idOf(id)));
  call = { ...call, path: move.follow ? (known.next ?? named) : named };
  const etag = cached && (known.etagOf(call.path) ?? '"never-given"');
  return etag ? withHeader(call, 'if-none-match', etag) : call;
}

function withHeader<Sent extends Pick<Call, 'headers'>>(
  sent: Sent,
  name: string,
  value: string,
): Sent {
  return { ...sent, headers: { ...sent.headers, [name]: value } };
}

/** What a mutation changes of a request. One of an id or a state is told by the place that a request names. */
function mutate(call: Call, mutation: Mutation, apiKey: string): Partial<Call> {
  const { path } = call;
  if ('key' in mutation) return withKey(call, mutation.key, apiKey);
  if ('query' in mutation) {
    return { path: `${path}${path.includes('?') ? '&' : '?'}${mutation.query}` };
  }
  if ('id' in mutation) return { path: path.replace('{id}', mutation.id) };
  if ('path' in mutation) return { path: paths[mutation.path](path) };
  if ('type' in mutation) {
    const { type } = mutation;
    return type === null ? { untyped: true } : withHeader(call, 'content-type', type);
  }
  const body = isObject(call.body) ? (call.body as Body) : {};
  if (!('encoding' in mutation)) return { body: bodyOf(body, mutation) };
  const pack = mutation.encoding === 'gzip' ? gzipSync : deflateSync;
  const packed = new Uint8Array(pack(JSON.stringify(body)));
  return { ...withHeader(call, 'content-encoding', mutation.encoding), body: packed };
}

/** A wrong body: JSON, or as it is sent. */
function bodyOf(body: Body, mutation: Mutation): unknown {
  const text = JSON.stringify(body);
  if ('field' in mutation) return withField(body, mutation.field, mutation.value);
  if ('text' in mutation) return mutation.text;
  if ('none' in mutation) return undefined;
  if ('cut' in mutation) return text.slice(0, -mutation.cut);
  if ('size' in mutation) return text.padEnd(mutation.size);
  if ('depth' in mutation) {
    const nested = '['.repeat(mutation.depth - 1) + ']'.repeat(mutation.depth - 1);
    return JSON.stringify({ ...body, [furtherField]: 0 }).replace(/0\}$/, `${nested}}`);
  }
  if (!('bytes' in mutation)) return body;
  const field = 'name' in body ? 'name' : furtherField;
  const written = JSON.stringify({ ...body, [field]: '{bytes}' });
  return new Uint8Array(Buffer.from(written.replace('{bytes}', mutation.bytes), 'latin1'));
}

/** A key that no service knows. */
const furtherField = 'livestreamMockUnknown';

/** A field of a profile is that of the first one. No value leaves the field out. */
function withField(body: Body, path: string, value: Json | undefined): Body {
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  if (key === undefined) return set(body, path, value);
  const { profiles } = body;
  const [first = { ...recommendedProfiles[0] }, ...others] = Array.isArray(profiles)
    ? profiles
    : [];
  const changed = key === '' ? value : set(isObject(first) ? (first as Body) : {}, key, value);
  return { ...body, profiles: [changed as Json, ...others] };
}

function set(object: Body, key: string, value: Json | undefined): Body {
  const { [key]: _, ...others } = object;
  return value === undefined ? others : { ...others, [key]: value };
}

type WrongKey = Extract<Mutation, { key: unknown }>['key'];

const credentials: Readonly<Partial<Record<WrongKey, NonNullable<Call['credential']>>>> = {
  none: 'none',
  wrong: 'wrong',
  cut: 'short',
  extended: 'long',
};

function withKey(call: Call, key: WrongKey, apiKey: string): Partial<Call> {
  const credential = credentials[key];
  if (credential !== undefined) return { credential };
  const authorizations: Readonly<Partial<Record<WrongKey, string>>> = {
    empty: 'Bearer ',
    basic: 'Basic bGVhcm46bGVhcm4=',
    token: 'Token livestream-mock',
    bare: apiKey,
    'lower-case': `bearer ${apiKey}`,
    other: `Bearer ${unknownId}`,
  };
  return withHeader(call, 'authorization', authorizations[key] ?? '');
}

type WrongPath = Extract<Mutation, { path: unknown }>['path'];

const paths: Readonly<Record<WrongPath, (path: string) => string>> = {
  'doubled-slash': (path) => `/${path}`,
  'encoded-letter': (path) => path.replace('s', '%73').replace('/p', '/%70'),
  'trailing-slash': (path) => path.replace(/(?=\?|$)/, '/'),
  'upper-case': (path) => path.replaceAll(/\/[a-z-]+/g, (word) => word.toUpperCase()),
  unknown: () => unknownPath,
};
