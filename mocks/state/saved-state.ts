import * as z from 'zod';
import {
  millisecondsSchema,
  randomStateSchema,
  sessionRecordSchema,
  streamRecordSchema,
} from '../../fixtures/schema.ts';
import type { SessionRecord, StreamRecord } from '../../fixtures/types.ts';
import { describeValue, Problem } from '../problem.ts';

/** All records of a world, its clock and its chance, as JSON. */
export interface SavedState {
  readonly version: 1;
  /** Milliseconds since 1970 on the world's clock. */
  readonly now: number;
  /** The seed from which the world started. */
  readonly seed?: string;
  /** The account behind the key. */
  readonly userId: string;
  /** State of the random source. */
  readonly random: readonly number[];
  /** Oldest first. */
  readonly streams: readonly StreamRecord[];
  /** Oldest first. */
  readonly sessions: readonly SessionRecord[];
}

/** Schemas of the keys of {@link SavedState}. */
export const savedStateShape: {
  readonly version: z.ZodLiteral<1>;
  readonly now: typeof millisecondsSchema;
  readonly seed: z.ZodExactOptional<z.ZodString>;
  readonly userId: z.ZodString;
  readonly random: typeof randomStateSchema;
  readonly streams: z.ZodArray<typeof streamRecordSchema>;
  readonly sessions: z.ZodArray<typeof sessionRecordSchema>;
} = {
  version: z.literal(1, '1'),
  now: millisecondsSchema,
  seed: z.string('a string').exactOptional(),
  userId: z.string('a string'),
  random: randomStateSchema,
  streams: z.array(streamRecordSchema, 'an array of streams'),
  sessions: z.array(sessionRecordSchema, 'an array of sessions'),
};

/** Schema of {@link SavedState}. */
export const savedStateSchema: z.ZodType<SavedState> = z.strictObject(
  savedStateShape,
  'a state that this mock has exported',
);

/** How many streams and sessions a state has. */
export function countSaved({ streams, sessions }: SavedState): number {
  return streams.length + sessions.length;
}

/**
 * Refuses a state that no world can be in.
 * @throws Problem 400 when its records contradict each other.
 */
export function refuseContradictions({ streams, sessions }: SavedState): void {
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
