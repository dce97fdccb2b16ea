import type { Exchange } from '../model/report.ts';
import { type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import type { StreamHistory } from './history.ts';
import { isReady } from './recorded-list.ts';

/** The recorded sessions of a stream, ready or not. */
export interface Listing {
  readonly streamId: string;
  readonly listed: readonly JsonObject[];
  /** The requests that led here. */
  readonly exchanges: readonly Exchange[];
}

/** A session whose recording is ready. */
export interface Recording extends Listing {
  readonly session: JsonObject;
}

/** Whether the recorded stream has profiles, has none, or either. */
export type RecordingKind = 'profiles' | 'plain' | 'any';

/** The first session that is ready. @throws Blocked where there is none. */
export function pickReady(listed: readonly JsonObject[]): JsonObject {
  return listed.find(isReady) ?? blockUnready(listed);
}

/** Ends a check that needs a recording which did not become ready in time. */
export function blockUnready(listed: readonly JsonObject[]): never {
  if (listed.length === 0) throw needsListedSession();
  const values = new Set(listed.map((session) => show(session['recordingStatus'])));
  throw new Blocked(
    `a recorded session: none became ready in time; recordingStatus was ${[...values].join(', ')}; if the target needs longer, raise --patience; see LIST-8 and LIST-18`,
  );
}

/**
 * A recording from the sessions of a given stream.
 * @param otherwise what can be done beside giving another stream
 * @throws Blocked where none is of the kind
 */
export function ofKind(listing: Listing, kind: RecordingKind, otherwise: string): Recording {
  const ready = pickReady(listing.listed);
  if (kind === 'any') return { ...listing, session: ready };
  const hasProfiles = (session: JsonObject): boolean =>
    Array.isArray(session['profiles']) && session['profiles'].length > 0;
  const session = listing.listed.find(
    (candidate) => isReady(candidate) && hasProfiles(candidate) === (kind === 'profiles'),
  );
  if (session !== undefined) return { ...listing, session };
  throw new Blocked(
    `a recorded session ${kind === 'profiles' ? 'with' : 'without'} profiles: the given stream ${listing.streamId} has none; give a stream that has one${otherwise}`,
  );
}

/** Nothing can be said of recorded sessions where not even one was listed. */
export function needsListedSession(): Blocked {
  return new Blocked(
    'a recorded session: none was listed in time; if the target needs longer, raise --patience; see RECORD-5',
  );
}

/** The sessions that a stream alone lists. @throws Blocked without one */
export function ownSessions({ own, listed }: StreamHistory): readonly JsonObject[] {
  if (own.length > 0) return own;
  throw listed.length === 0
    ? needsListedSession()
    : new Blocked("a list of one stream's sessions alone: it has those of others; see LIST-4");
}

/** A session as a later list has it. @throws Blocked where that has other sessions instead. */
export function findLater(
  session: JsonObject,
  before: readonly JsonObject[],
  later: readonly JsonObject[],
): JsonObject | undefined {
  const found = later.find(({ id }) => id === session['id']);
  if (found === undefined && later.length >= before.length) {
    throw new Blocked('sessions that keep their ids; see LIST-5');
  }
  return found;
}
