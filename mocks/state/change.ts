import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { Problem } from '../messages/problem.ts';

/** All records of a world, its clock and its random generator, as JSON. */
export interface SavedState {
  readonly version: 2;
  /** Milliseconds since 1970 on the world's clock. */
  readonly now: number;
  /** How fast that clock runs: 0 is paused; absent if it is as fast as the time source. */
  readonly speed?: number;
  /** The seed with which the world started. */
  readonly seed?: string;
  /** The account of the API key. */
  readonly userId: string;
  /** The state of the random generator. */
  readonly random: readonly number[];
  /** Oldest first. */
  readonly streams: readonly StreamRecord[];
  /** Oldest first. */
  readonly sessions: readonly SessionRecord[];
}

/** A change that replaces everything in a world. */
export interface Replacement {
  /** When it was made: milliseconds since 1970 by the mock's time source. */
  readonly at: number;
  readonly state: SavedState;
}

/** A change of some records of a world, its clock or its random generator. Each record is complete. */
export interface Update {
  /** As in {@link Replacement}. */
  readonly at: number;
  /** New and changed streams. */
  readonly streams?: readonly StreamRecord[];
  /** New and changed sessions. */
  readonly sessions?: readonly SessionRecord[];
  /** The ids of deleted streams, whose sessions are deleted too, and of sessions that are deleted alone. */
  readonly deleted?: readonly string[];
  /** The state of the random generator. */
  readonly random?: readonly number[];
  /** Milliseconds since 1970 on the world's clock. */
  readonly now?: number;
  /** How fast that clock runs from then on: 1 is as fast as the time source, 0 is paused. It comes with `now`. */
  readonly speed?: number;
}

/**
 * One change of a world. It holds new values, not differences, so applying changes a second time, in
 * the same order, gives the same result.
 */
export type Change = Replacement | Update;

/** The number of streams and sessions in a state, without deleted streams. */
export function countSaved({ streams, sessions }: SavedState): number {
  return streams.filter(({ deletedAt }) => deletedAt === undefined).length + sessions.length;
}

/** @throws Problem 400 if records of a state contradict each other. */
export function refuseContradictions({ streams, sessions }: SavedState): void {
  const live = sessions.filter(({ endedAt }) => endedAt === undefined);
  refuseTwice('id', [...streams, ...sessions], ({ id }) => id);
  refuseTwice('playbackId', streams, ({ playbackId }) => playbackId);
  refuseTwice('parentId of live sessions', live, ({ parentId }) => parentId);
  const parents = new Set(streams.map(({ id }) => id));
  for (const { id, parentId, endedAt, duration } of sessions) {
    const path = `session ${id}`;
    if (!parents.has(parentId)) {
      throw contradiction(path, 'the parentId of a stream in streams', parentId);
    }
    if ((endedAt === undefined) !== (duration === undefined)) {
      throw contradiction(path, 'endedAt and duration, or neither', 'one of them');
    }
  }
}

function refuseTwice<Item>(
  key: string,
  records: readonly Item[],
  read: (record: Item) => string,
): void {
  const seen = new Set<string>();
  for (const record of records) {
    const value = read(record);
    if (seen.has(value)) throw contradiction('body', `every ${key} once`, `"${value}" twice`);
    seen.add(value);
  }
}

function contradiction(path: string, expected: string, got: string): Problem {
  return new Problem('not-allowed', { path, expected, got });
}
