import * as z from 'zod';
import { resumeRandom } from '../fixtures/random.ts';
import { millisecondsSchema, sessionRecordSchema, streamRecordSchema } from '../fixtures/schema.ts';
import type { SessionRecord, StreamRecord } from '../fixtures/types.ts';
import { byAge } from '../fixtures/worlds.ts';
import { fillCollections } from './collections.ts';
import { describeValue, Problem } from './problem.ts';
import { exclusively, type WorldChange, type WorldState } from './world.ts';

/** All that a world holds, as JSON: what {@link restoreSnapshot} continues from. */
export interface Snapshot {
  readonly version: 1;
  /** Milliseconds since 1970 on the world's clock. */
  readonly now: number;
  /** The account behind the key. */
  readonly userId: string;
  /** State of the random source. */
  readonly random: readonly number[];
  /** Oldest first. */
  readonly streams: readonly StreamRecord[];
  /** Oldest first. */
  readonly sessions: readonly SessionRecord[];
}

const fourNumbers = 'an array of 4 whole numbers, not all of them 0';

/** Schema of {@link Snapshot}. */
export const snapshotSchema: z.ZodType<Snapshot> = z.strictObject(
  {
    version: z.literal(1, '1'),
    now: millisecondsSchema,
    userId: z.string('a string'),
    random: z
      .array(z.int32('a 32-bit whole number'), fourNumbers)
      .length(4, fourNumbers)
      .refine((words) => words.some((word) => word !== 0), fourNumbers),
    streams: z.array(streamRecordSchema, 'an array of streams'),
    sessions: z.array(sessionRecordSchema, 'an array of sessions'),
  },
  'a state that this mock has exported',
);

/** Writes a world down. */
export function takeSnapshot({ clock, userId, random, collections }: WorldState): Snapshot {
  return {
    version: 1,
    now: clock.now(),
    userId,
    random: random.state(),
    streams: collections.streams().entries.map(({ record }) => record),
    sessions: collections.sessions().entries.map(({ record }) => record),
  };
}

/**
 * Replaces all that a world holds, in one step.
 * @throws Problem 400 when the records contradict each other.
 */
export function restoreSnapshot(
  world: WorldState,
  snapshot: Snapshot,
  announced?: WorldChange,
): Promise<void> {
  refuseContradictions(snapshot);
  const { now, userId, random, streams, sessions } = snapshot;
  return exclusively(
    world,
    async () => {
      const collections = await fillCollections({
        streams: streams.toSorted(byAge),
        sessions: sessions.toSorted(byAge),
      });
      Object.assign(world, { userId, collections, random: resumeRandom(random) });
      world.clock.set(now);
    },
    announced,
  );
}

/** @throws Problem 400 when the records of a snapshot contradict each other. */
export function refuseContradictions({ streams, sessions }: Snapshot): void {
  refuseTwice(
    'id',
    [...streams, ...sessions].map(({ id }) => id),
  );
  refuseTwice(
    'playbackId',
    streams.map(({ playbackId }) => playbackId),
  );
  const live = sessions.filter(({ endedAt }) => endedAt === undefined);
  refuseTwice(
    'parentId of live sessions',
    live.map(({ parentId }) => parentId),
  );
  const parents = new Set(streams.map(({ id }) => id));
  sessions.forEach(({ parentId, endedAt, duration }, index) => {
    if (!parents.has(parentId)) {
      throw new Problem(
        400,
        `sessions[${index}].parentId: expected the id of a stream in streams, got ${describeValue(parentId)}`,
      );
    }
    if ((endedAt === undefined) !== (duration === undefined)) {
      throw new Problem(
        400,
        `sessions[${index}]: expected endedAt and duration, or neither, got one of them`,
      );
    }
  });
}

function refuseTwice(what: string, values: readonly string[]): void {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) {
      throw new Problem(
        400,
        `body: expected every ${what} once, got ${describeValue(value)} twice`,
      );
    }
    seen.add(value);
  }
}
