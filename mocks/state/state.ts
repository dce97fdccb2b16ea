import type { WorldContents } from '../../fixtures/world-records.ts';
import type { Change, Replacement, SavedState, Update } from './change.ts';
import type { AdjustableClock } from './clock.ts';
import { recordsOf } from './ordered.ts';
import { createRecords, type Records } from './records.ts';

/** Everything that is kept of a world, except its clock. */
export interface State {
  /** The seed with which the world starts again. */
  seed: string;
  /** The account of the API key. */
  userId: string;
  /** State of the random generator. */
  random: readonly number[];
  readonly records: Records;
}

/** Applies an update to a state. The clock is not part of a state. */
export function applyUpdate(state: State, { deleted = [], random, ...contents }: Update): void {
  for (const id of deleted) state.records.deleteStream(id);
  putRecords(state.records, contents);
  if (random !== undefined) state.random = random;
}

/** Adds records, or replaces those with the same ids. */
function putRecords(records: Records, { streams, sessions }: Partial<WorldContents>): void {
  for (const stream of streams ?? []) records.putStream(stream);
  for (const session of sessions ?? []) records.putSession(session);
}

/** Builds a state from a saved one. */
export function readState({ seed = '', userId, random, ...contents }: SavedState): State {
  const records = createRecords();
  putRecords(records, contents);
  return { seed, userId, random, records };
}

/** The state and its clock as JSON. */
export function saveState(
  { seed, userId, random, records }: State,
  clock: Pick<AdjustableClock, 'now' | 'speed'>,
): SavedState {
  const speed = clock.speed();
  return {
    version: 2,
    now: clock.now(),
    ...(speed !== 1 && { speed }),
    seed,
    userId,
    random,
    streams: [...recordsOf(records.streams), ...records.deletedStreams()],
    sessions: recordsOf(records.sessions),
  };
}

/**
 * The changes of a world, oldest first, as one.
 * @throws Error when the first change is not a whole state.
 */
export function combine(changes: readonly Change[]): Replacement {
  let state: State | undefined;
  let at = 0;
  let shown = 0;
  let speed = 1;
  for (const change of changes) {
    const isWhole = 'state' in change;
    const made = isWhole ? change.state : change;
    shown = made.now ?? shown + (change.at - at) * speed;
    speed = made.speed ?? (isWhole ? 1 : speed);
    at = change.at;
    if (isWhole) state = readState(change.state);
    else if (state === undefined) break;
    else applyUpdate(state, change);
  }
  if (state === undefined) throw new Error('changes: expected a whole state first, got none');
  return { at, state: saveState(state, { now: () => Math.round(shown), speed: () => speed }) };
}
