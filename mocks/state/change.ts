import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import type { SavedState } from './saved-state.ts';

/** A change that replaces everything that a world holds. */
export interface Replacement {
  /** When it was made: milliseconds since 1970 by the mock's time source. */
  readonly at: number;
  readonly state: SavedState;
}

/** A change of some records of a world, its clock or its random generator. Each record is complete. */
export interface Update {
  /** As in {@link Replacement}. */
  readonly at: number;
  /** Streams that are new or changed. */
  readonly streams?: readonly StreamRecord[];
  /** Sessions that are new or changed. */
  readonly sessions?: readonly SessionRecord[];
  /** Ids of streams that are deleted, with their sessions. */
  readonly deleted?: readonly string[];
  /** State of the random generator. */
  readonly random?: readonly number[];
  /** Milliseconds since 1970 on the world's clock. */
  readonly now?: number;
  /** How fast that clock runs from then on: 1 is as fast as the time source, 0 is paused. Comes with `now`. */
  readonly speed?: number;
}

/**
 * One change of a world. It holds new values, not differences, so applying changes a second time, in
 * the same order, gives the same result.
 */
export type Change = Replacement | Update;
