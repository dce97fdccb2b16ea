import * as z from 'zod';
import { resumeRandom } from '../fixtures/random.ts';
import { millisecondsSchema, sessionRecordSchema, streamRecordSchema } from '../fixtures/schema.ts';
import type { SessionRecord, StreamRecord } from '../fixtures/types.ts';
import { fillCollections } from './collections.ts';
import { Problem } from './problem.ts';
import type { WorldState } from './world.ts';

/** All that a world holds, as JSON: what {@link restoreSnapshot} continues from. */
export interface Snapshot {
  readonly version: 1;
  /** Milliseconds since 1970 on the world's clock. */
  readonly now: number;
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
export function takeSnapshot({ clock, random, collections }: WorldState): Snapshot {
  return {
    version: 1,
    now: clock.now(),
    random: random.state(),
    streams: collections.streams().entries.map(({ record }) => record),
    sessions: collections.sessions().entries.map(({ record }) => record),
  };
}

/**
 * Replaces all that a world holds, in one step.
 * @throws Problem 400 when two records have one id, or a session no parent stream.
 */
export async function restoreSnapshot(world: WorldState, snapshot: Snapshot): Promise<void> {
  refuseBrokenReferences(snapshot);
  const collections = await fillCollections(snapshot);
  world.clock.set(snapshot.now);
  Object.assign(world, { collections, random: resumeRandom(snapshot.random) });
}

function refuseBrokenReferences({ streams, sessions }: Snapshot): void {
  const ids = new Set<string>();
  for (const { id } of [...streams, ...sessions]) {
    if (ids.has(id)) throw new Problem(400, `body: expected every id once, got ${id} twice`);
    ids.add(id);
  }
  const parents = new Set(streams.map(({ id }) => id));
  const orphan = sessions.findIndex(({ parentId }) => !parents.has(parentId));
  if (orphan >= 0) {
    throw new Problem(
      400,
      `sessions[${orphan}].parentId: expected the id of a stream in streams, got "${sessions[orphan]?.parentId}"`,
    );
  }
}
