import type { WorldContents } from '../../fixtures/world-records.ts';
import type { Update } from './change.ts';
import type { Records } from './records.ts';

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
export function putRecords(records: Records, { streams, sessions }: Partial<WorldContents>): void {
  for (const stream of streams ?? []) records.putStream(stream);
  for (const session of sessions ?? []) records.putSession(session);
}
