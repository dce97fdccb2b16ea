import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import type { ErrorIdOf } from '../../interface/dialect/errors.ts';
import { describeValue, Problem, type ProblemCode } from '../messages/problem.ts';
import { childId, isUuid } from './ids.ts';
import type { Records } from './state.ts';

/** Refuses an id that does not lead to what a request needs. It always throws. */
export type RefuseId = (error: ErrorIdOf<'id'>, id: string, problem: Problem) => never;

/** Refuses an id whatever a dialect says, as testers are refused. */
export const refuseAlways: RefuseId = (_, __, problem) => {
  throw problem;
};

/**
 * The parent stream, or the session (a historic stream object), with an id.
 * @throws Problem 404 if there is neither, or as `refuse` does.
 */
export function findStream(
  records: Records,
  id: string,
  refuse: RefuseId,
): StreamRecord | SessionRecord {
  return records.stream(id) ?? records.session(id) ?? refuseUnknown(records, 'stream', id, refuse);
}

/**
 * The session with an id.
 * @throws Problem 404 if there is none, or as `refuse` does.
 */
export function findSession(records: Records, id: string, refuse: RefuseId): SessionRecord {
  return records.session(id) ?? refuseUnknown(records, 'session', id, refuse);
}

/**
 * The parent stream with an id.
 * @throws Problem 404 for an unknown id, and for that of a session, or as `refuse` does.
 */
export function findParent(records: Records, id: string, refuse: RefuseId): StreamRecord {
  const stream = findStream(records, id, refuse);
  if (!('parentId' in stream)) return stream;
  return refuse('id:session', id, notAParent(stream));
}

/**
 * The parent stream that a request would change.
 * @throws Problem 404 for an unknown id; 400, ending in `consequence`, for a session; or as `refuse` does.
 */
export function findChangeable(
  records: Records,
  id: string,
  consequence: string,
  refuse: RefuseId,
): StreamRecord {
  const stream = findStream(records, id, refuse);
  if (!('parentId' in stream)) return stream;
  const advice = `a session is read-only, so ${consequence}`;
  return refuse('id:session', id, notAParent(stream, 'not-allowed', advice));
}

/** The problem of a session where a parent stream is expected. */
export function notAParent(
  { id, parentId }: SessionRecord,
  code: ProblemCode = 'unknown',
  advice?: string,
): Problem {
  const got = `session ${id} of stream ${parentId}`;
  return new Problem(code, { path: 'id', expected: 'a parent stream', got, advice });
}

function refuseUnknown(
  records: Records,
  kind: 'stream' | 'session',
  id: string,
  refuse: RefuseId,
): never {
  const expected = `a ${kind} of this API key`;
  const problem = new Problem('unknown', { path: 'id', expected, got: describeValue(id) });
  return refuse(errorOfId(records, kind, id), id, problem);
}

/** Some services refuse a longer id because the path is too long. */
const maxIdLength = 100;

/** What is wrong with an id that is not found. */
function errorOfId(records: Records, kind: 'stream' | 'session', id: string): ErrorIdOf<'id'> {
  if (kind === 'session' && records.stream(id) !== undefined) return 'id:stream';
  if (records.deletedStream(id) !== undefined) return 'id:deleted';
  if (records.session(childId(id)) !== undefined) return 'id:child';
  if (isUuid(id)) return 'id:unknown';
  return undecodable(id) ?? (id.length > maxIdLength ? 'id:large' : 'id:malformed');
}

/** What is wrong with an id that could not be decoded, or has a character that no id has. */
export function undecodable(id: string): ErrorIdOf<'id'> | undefined {
  if (id.includes('\0')) return 'id:nul';
  return id.includes('%') ? 'id:percent' : undefined;
}
