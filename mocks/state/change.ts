import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import type { SavedState } from './saved-state.ts';

/** Replaces everything that a world holds. */
export interface Replacement {
  /** When it was made: milliseconds since 1970 on the mock's time source. */
  readonly at: number;
  readonly state: SavedState;
}

/** Changes some records of a world, its clock or its random source. Each record is complete, as it is after the change. */
export interface Update {
  /** As in {@link Replacement}. */
  readonly at: number;
  /** Streams that are new or changed. */
  readonly streams?: readonly StreamRecord[];
  /** Sessions that are new or changed. */
  readonly sessions?: readonly SessionRecord[];
  /** Ids of streams that are deleted, with their sessions. */
  readonly deleted?: readonly string[];
  /** State of the random source. */
  readonly random?: readonly number[];
  /** Milliseconds since 1970 on the world's clock. */
  readonly now?: number;
}

/**
 * The unit in which a world changes. To apply changes twice, in their order, gives the same result, as
 * each holds values and not differences.
 */
export type Change = Replacement | Update;
