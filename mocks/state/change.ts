import type { SessionRecord, StreamRecord } from '../../fixtures/types.ts';
import type { SavedState } from './saved-state.ts';

/** Puts another state in the place of all that a world holds. */
export interface Replacement {
  /** When it was made: milliseconds since 1970 on the mock's time source. */
  readonly at: number;
  readonly state: SavedState;
}

/** Changes some of what a world holds. Records are whole, as they are after the change. */
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
 * The unit in which a world changes. Changes that are applied again, in their order, do no harm: each
 * says what is so after it.
 */
export type Change = Replacement | Update;
