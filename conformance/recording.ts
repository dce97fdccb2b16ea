import { type JsonObject, show } from './expectations.ts';
import { Blocked } from './failure.ts';
import { isReady } from './recorded-list.ts';
import type { Exchange } from './report/report.ts';

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
  const values = [...new Set(listed.map((session) => show(session['recordingStatus'])))];
  throw new Blocked(
    listed.length === 0
      ? 'a recorded session: none became ready in time, as none was listed; if the target needs longer, raise --patience; see RECORD-5'
      : `a recorded session: none became ready in time; recordingStatus was ${values.join(', ')}; if the target needs longer, raise --patience; see LIST-18`,
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
