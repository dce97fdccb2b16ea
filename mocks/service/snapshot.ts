import * as z from 'zod';
import { resumeRandom } from '../../fixtures/random.ts';
import {
  millisecondsSchema,
  randomStateSchema,
  sessionRecordSchema,
  streamRecordSchema,
} from '../../fixtures/schema.ts';
import type { SessionRecord, StreamRecord } from '../../fixtures/types.ts';
import { byAge } from '../../fixtures/worlds.ts';
import { fillCollections } from '../collections.ts';
import type { FaultsState } from '../faults/fault.ts';
import { refuseFaults } from '../faults/refuse-faults.ts';
import { faultsStateSchema } from '../faults/schema.ts';
import type { Exchange } from '../journal/exchange.ts';
import { exchangeSchema } from '../journal/exchange-schema.ts';
import { describeValue, Problem } from '../problem.ts';
import { refuseBeyond, reserve } from '../state/limits.ts';
import { announce, countOf, countRecords, exclusively, type WorldState } from './world.ts';

/** All that a world holds, as JSON: what {@link restoreSnapshot} continues from. */
export interface Snapshot {
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
  /** What clients had sent and been answered; only in an export with the journal. */
  readonly journal?: readonly Exchange[];
  /** What goes wrong, without which a journal may not repeat itself; only there too. */
  readonly faults?: FaultsState;
}

/** Schema of {@link Snapshot}. */
export const snapshotSchema: z.ZodType<Snapshot> = z.strictObject(
  {
    version: z.literal(1, '1'),
    now: millisecondsSchema,
    seed: z.string('a string').exactOptional(),
    userId: z.string('a string'),
    random: randomStateSchema,
    streams: z.array(streamRecordSchema, 'an array of streams'),
    sessions: z.array(sessionRecordSchema, 'an array of sessions'),
    journal: z.array(exchangeSchema, 'an array of exchanges').exactOptional(),
    faults: faultsStateSchema.exactOptional(),
  },
  'a state that this mock has exported',
);

/** Writes a world down; with its journal and faults, for somebody else to look at and to replay. */
export function takeSnapshot(world: WorldState, withJournal = false): Snapshot {
  const { clock, seed, userId, random, collections, journal, faults } = world;
  return {
    version: 1,
    now: clock.now(),
    seed,
    userId,
    random: random.state(),
    streams: collections.streams().entries.map(({ record }) => record),
    sessions: collections.sessions().entries.map(({ record }) => record),
    ...(withJournal && { journal: journal.exchanges(), faults: faults.state() }),
  };
}

/**
 * Replaces all that a world holds, its journal too, and its faults if there are any in the state.
 * @throws Problem 400 when the state contradicts itself, 422 for a fault that cannot be here.
 */
export async function importWorld(world: WorldState, state: Snapshot): Promise<void> {
  const { journal = [], faults } = state;
  refuseContradictions(state);
  if (faults !== undefined) refuseFaults(faults, world.settings.unable);
  await exclusively(world, async () => {
    await replaceContents(world, state);
    world.journal.replace(journal);
    if (faults !== undefined) world.faults.resume(faults);
  });
  if (faults !== undefined) announce(world, 'faults');
}

/**
 * Replaces all that a world holds, in one step.
 * @throws Problem 400 when the records contradict each other.
 */
export function restoreSnapshot(world: WorldState, snapshot: Snapshot): Promise<void> {
  refuseContradictions(snapshot);
  return exclusively(world, () => replaceContents(world, snapshot));
}

/** What {@link restoreSnapshot} does, as a part of another change. */
export async function replaceContents(world: WorldState, snapshot: Snapshot): Promise<void> {
  const { now, seed = world.seed, userId, random, streams, sessions } = snapshot;
  const more = streams.length + sessions.length - countOf(world.collections);
  const release = reserve(world.settings.room, more);
  const collections = await fillCollections({
    streams: streams.toSorted(byAge),
    sessions: sessions.toSorted(byAge),
  }).finally(release);
  Object.assign(world, { seed, userId, collections, random: resumeRandom(random) });
  countRecords(world);
  world.clock.set(now);
}

/**
 * Keeps a world as it is now under a name.
 * @throws Problem 429 when there are too many, 422 for a name out of its form.
 */
export function saveSnapshot(world: WorldState, name: string): void {
  const { settings, snapshots, collections } = world;
  const more = countOf(collections) - snapshots.records(name);
  if (more > 0) refuseBeyond('records', settings.room.records + more);
  snapshots.save(name, takeSnapshot(world));
  countRecords(world);
}

/**
 * Forgets what was kept under a name.
 * @throws Problem 404 when nothing was.
 */
export function deleteSnapshot(world: WorldState, name: string): void {
  world.snapshots.remove(name);
  countRecords(world);
}

/**
 * Refuses a state that no world can be in.
 * @throws Problem 400 when its records contradict each other.
 */
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
