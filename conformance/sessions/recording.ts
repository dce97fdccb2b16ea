import { type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import type { StreamHistory } from './history.ts';
import { isReady } from './recorded-list.ts';

/** The recorded sessions of a stream, ready or not. */
export interface Listing {
  readonly streamId: string;
  readonly listed: readonly JsonObject[];
  /** As the first list with sessions showed them. */
  readonly seen: readonly JsonObject[];
}

/** A session whose recording is ready. */
export interface Recording extends Listing {
  readonly session: JsonObject;
}

/** Whether the recorded stream has profiles, has none, or either. */
export type RecordingKind = 'profiles' | 'plain' | 'any';

/** The first session that is ready. @throws Blocked if there is none */
export function pickReady(listed: readonly JsonObject[]): JsonObject {
  return listed.find(isReady) ?? blockUnready(listed);
}

/** Ends a check that needs a recording, as none became ready in time. @throws Blocked */
export function blockUnready(listed: readonly JsonObject[]): never {
  if (listed.length === 0) throw needsListedSession();
  const values = new Set(listed.map((session) => show(session['recordingStatus'])));
  throw new Blocked(
    `a recorded session: none became ready in time; recordingStatus was ${[...values].join(', ')}; if the target needs longer, raise --patience; see LIST-8 and LIST-18`,
  );
}

/**
 * A ready session of a given stream.
 * @param otherwise what a user can do instead of giving another stream
 * @throws Blocked if none is of the kind
 */
export function ofKind(listing: Listing, kind: RecordingKind, otherwise: string): JsonObject {
  const ready = pickReady(listing.listed);
  if (kind === 'any') return ready;
  const hasProfiles = (session: JsonObject): boolean =>
    Array.isArray(session['profiles']) && session['profiles'].length > 0;
  const session = listing.listed.find(
    (candidate) => isReady(candidate) && hasProfiles(candidate) === (kind === 'profiles'),
  );
  if (session !== undefined) return session;
  throw new Blocked(
    `a recorded session ${kind === 'profiles' ? 'with' : 'without'} profiles: the given stream ${listing.streamId} has none; give a stream that has one${otherwise}`,
  );
}

/** Recorded sessions cannot be judged if none was listed. */
export function needsListedSession(): Blocked {
  return new Blocked(
    'a recorded session: none was listed in time; if the target needs longer, raise --patience; see RECORD-5',
  );
}

/** The sessions that only this stream lists. @throws Blocked if there is none */
export function ownSessions({
  own,
  listed,
}: Pick<StreamHistory, 'own' | 'listed'>): readonly JsonObject[] {
  if (own.length > 0) return own;
  throw listed.length === 0
    ? needsListedSession()
    : new Blocked("a list of one stream's own sessions: it has those of others; see LIST-4");
}

/** Whether a list has a session, by its id. */
export function isIn(session: JsonObject, listed: readonly JsonObject[]): boolean {
  return listed.some(({ id }) => id === session['id']);
}

/** Whether a later list has a session under another id. */
export function isRenamed(session: JsonObject, later: readonly JsonObject[]): boolean {
  return !isIn(session, later) && later.some((one) => one['createdAt'] === session['createdAt']);
}

/** A session in a later list; `undefined` if it is missing. @throws Blocked if its id has changed */
export function findLater(
  session: JsonObject,
  later: readonly JsonObject[],
): JsonObject | undefined {
  if (isRenamed(session, later)) {
    throw new Blocked('sessions whose ids do not change; see LIST-5');
  }
  return later.find(({ id }) => id === session['id']);
}
