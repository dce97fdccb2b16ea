import { nearKeyNames } from '../../../conformance/target/near-keys.ts';
import { type Call, pathSegment } from '../../../conformance/target/target.ts';
import {
  bodyOf,
  type Credential,
  operations,
  type Place,
  type RequestMove,
} from '../moves/move.ts';
import { idAt, type MadeRecords } from './made-records.ts';

/** The request of a move on one side: with that side's ids, key and ETags. */
export function toCall(move: RequestMove, apiKey: string, made: MadeRecords, side: 0 | 1): Call {
  const path = pathOf(move, made, side);
  const text = bodyText(move);
  const etag = move.cached && (made.etags[side].get(path) ?? '"never-given"');
  const { credential, origin, preflight } = move;
  return {
    method: move.method ?? operations[move.operation].method,
    path,
    ...(text !== undefined && { body: text, untyped: move.type === null }),
    ...(credential !== undefined && { credential: keyOf(credential) }),
    headers: {
      ...authorization(credential, apiKey),
      ...(typeof move.type === 'string' && { 'content-type': move.type }),
      ...(origin !== undefined && { origin }),
      ...(etag && { 'if-none-match': etag }),
      ...(preflight && {
        'access-control-request-method': preflight.method,
        'access-control-request-headers': preflight.headers,
      }),
    },
  };
}

/** The key that a request carries; `none` where a header of its own says who sends it. */
function keyOf(credential: Credential): NonNullable<Call['credential']> {
  const keys = ['wrong', ...nearKeyNames] as const;
  return keys.find((key) => key === credential) ?? 'none';
}

function authorization(credential: Credential | undefined, key: string): Record<string, string> {
  if (credential === 'lower-case') return { authorization: `bearer ${key}` };
  if (credential === 'other-scheme') return { authorization: `Basic ${btoa(`user:${key}`)}` };
  if (credential === 'empty') return { authorization: 'Bearer ' };
  return credential === 'bare' ? { authorization: key } : {};
}

function pathOf(move: RequestMove, made: MadeRecords, side: 0 | 1): string {
  if (move.follow && made.next !== undefined) return made.next.paths[side];
  const { path } = operations[move.operation];
  const id = move.id && pathSegment(idAt(made, move.id, side));
  const spelled = move.path === 'upper-case' ? upperCase(path) : path;
  const filled = spelled.replace('{id}', id ?? '') + (move.path === 'slash' ? '/' : '');
  const query = Object.entries(move.query ?? {}).map(([name, value]) => {
    const text = typeof value === 'string' ? value : idAt(made, value, side);
    return `${name}=${encodeURIComponent(text.toWellFormed())}`;
  });
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function upperCase(path: string): string {
  return path.replace(/\{id\}|[a-z]+/g, (part) => (part === '{id}' ? part : part.toUpperCase()));
}

/** The body as it is sent: spaces before JSON change nothing but its size. */
function bodyText(move: RequestMove): string | undefined {
  const { text, size = 0, body } = move;
  const given = text ?? (body && JSON.stringify(bodyOf(move)));
  if (given === undefined || size === 0) return given;
  return ' '.repeat(Math.max(0, size - new TextEncoder().encode(given).length)) + given;
}

/** Whether a move names a stream of another key, which not every run has. */
export function needsOtherKey({ id, query }: RequestMove): boolean {
  const places = [id, ...Object.values(query ?? {})].filter(
    (value): value is Place => typeof value === 'object',
  );
  return places.some(({ of }) => of === 'other-key');
}
