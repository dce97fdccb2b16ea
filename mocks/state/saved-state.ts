import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { describeValue, Problem } from '../problems/problem.ts';

/** All records of a world, its clock and its random generator, as JSON. */
export interface SavedState {
  readonly version: 2;
  /** Milliseconds since 1970 on the world's clock. */
  readonly now: number;
  /** How fast that clock runs; absent where it is as fast as the time source, 0 where it is paused. */
  readonly speed?: number;
  /** The seed with which the world started. */
  readonly seed?: string;
  /** The account of the API key. */
  readonly userId: string;
  /** State of the random generator. */
  readonly random: readonly number[];
  /** Oldest first. */
  readonly streams: readonly StreamRecord[];
  /** Oldest first. */
  readonly sessions: readonly SessionRecord[];
}

/** The number of streams and sessions in a state. */
export function countSaved({ streams, sessions }: SavedState): number {
  return streams.length + sessions.length;
}

/** @throws Problem 400 when records of a state contradict each other. */
export function refuseContradictions({ streams, sessions }: SavedState): void {
  const live = sessions.filter(({ endedAt }) => endedAt === undefined);
  refuseTwice('id', [...streams, ...sessions], ({ id }) => id);
  refuseTwice('playbackId', streams, ({ playbackId }) => playbackId);
  refuseTwice('parentId of live sessions', live, ({ parentId }) => parentId);
  const parents = new Set(streams.map(({ id }) => id));
  sessions.forEach(({ parentId, endedAt, duration }, index) => {
    if (!parents.has(parentId)) {
      throw new Problem('refused', {
        path: `sessions[${index}].parentId`,
        expected: 'the id of a stream in streams',
        got: describeValue(parentId),
      });
    }
    if ((endedAt === undefined) !== (duration === undefined)) {
      throw new Problem('refused', {
        path: `sessions[${index}]`,
        expected: 'endedAt and duration, or neither',
        got: 'one of them',
      });
    }
  });
}

function refuseTwice<Item>(
  what: string,
  records: readonly Item[],
  read: (record: Item) => string,
): void {
  const seen = new Set<string>();
  for (const record of records) {
    const value = read(record);
    if (seen.has(value)) {
      throw new Problem('refused', {
        path: 'body',
        expected: `every ${what} once`,
        got: `${describeValue(value)} twice`,
      });
    }
    seen.add(value);
  }
}
