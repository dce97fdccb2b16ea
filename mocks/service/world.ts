import { createId } from '../../fixtures/ids.ts';
import { createRandom, type Random } from '../../fixtures/random.ts';
import { buildWorld, expectedRecords, type WorldName } from '../../fixtures/worlds.ts';
import { type Collections, fillCollections } from '../collections.ts';
import type { Fault } from '../faults/fault.ts';
import { createFaults, type Faults } from '../faults/faults.ts';
import type { FaultTally } from '../faults/tally.ts';
import type { UnableEffects } from '../faults/unable.ts';
import { createJournal, type Journal, type JournalRoom } from '../journal/journal.ts';
import { type AdjustableClock, createClock, type TimeSource } from '../state/clock.ts';
import { type Room, reserve } from '../state/limits.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';

/** What every world of a mock starts from. */
export interface WorldSettings {
  readonly world: WorldName;
  /** Number of streams in the crowded world. */
  readonly streams: number;
  readonly seed: string;
  /** Milliseconds from the end of a session until its recording is ready. */
  readonly recordingDelay: number;
  readonly time: TimeSource;
  /** What goes wrong in every world from its beginning. */
  readonly faults: readonly Fault[];
  /** What these have met in all worlds. */
  readonly tally: FaultTally;
  /** What faults cannot do here. */
  readonly unable: UnableEffects;
  /** What the journals of all worlds have left together. */
  readonly journalRoom: JournalRoom;
  /** API keys that were given, which no journal may show. */
  readonly secrets: readonly string[];
  /** What all worlds hold together. */
  readonly room: Room;
}

/**
 * What there is to hear of a world: its records have changed or were loaded from a store, its clock
 * was moved on, a request was answered, its faults have changed.
 */
export type WorldChange = 'state' | 'loaded' | 'clock' | 'exchange' | 'faults';

/** All that one API key can see. */
export interface WorldState {
  readonly apiKey: string;
  readonly settings: WorldSettings;
  readonly clock: AdjustableClock;
  /** The account behind the key. */
  userId: string;
  random: Random;
  collections: Collections;
  readonly journal: Journal;
  faults: Faults;
  readonly snapshots: Snapshots;
  /** Called after every change, before it is answered. */
  readonly listeners: Set<(change: WorldChange) => void>;
  /** How many of the mock's records are its own. */
  records: number;
  /** How many clients are watching its events. */
  watchers: number;
  /** The seed from which it starts again; an imported state brings its own. */
  seed: string;
  /** The last transition; the next one waits for it. */
  transition: Promise<unknown>;
  /** Settles once all changes are kept, where there is a store to keep them. */
  saved: Promise<void>;
}

/** Makes the world of a key as it is at first: the same settings and key give the same records. */
export async function createWorld(settings: WorldSettings, apiKey: string): Promise<WorldState> {
  const listeners: WorldState['listeners'] = new Set();
  const clock = createClock(settings.time, () => announce({ listeners }, 'clock'));
  const now = clock.now();
  const release = reserve(settings.room, Math.max(1, startingRecords(settings)));
  const contents = await startingPoint(settings, apiKey, now).finally(release);
  const world: WorldState = {
    apiKey,
    settings,
    clock,
    ...contents,
    journal: createJournal(settings.journalRoom, [apiKey, ...settings.secrets]),
    faults: startingFaults(settings, apiKey),
    snapshots: createSnapshots(),
    listeners,
    records: 0,
    watchers: 0,
    seed: settings.seed,
    transition: Promise.resolve(),
    saved: Promise.resolve(),
  };
  countRecords(world);
  return world;
}

/** How many streams and sessions there are. */
export function countOf(collections: Collections): number {
  return collections.streams().entries.length + collections.sessions().entries.length;
}

/** Brings the mock's count of records up to date after a change of the world. */
export function countRecords(world: WorldState): void {
  const { collections, snapshots, settings } = world;
  const records = countOf(collections) + snapshots.records();
  settings.room.records += records - world.records;
  world.records = records;
}

/** Gives back what a world that will not be used has taken of the mock's room. */
export function discardWorld(world: WorldState): void {
  world.settings.room.records -= world.records;
  world.records = 0;
  world.journal.close();
}

/** Tells all who listen what has changed. */
export function announce({ listeners }: Pick<WorldState, 'listeners'>, change: WorldChange): void {
  for (const listener of listeners) listener(change);
}

/** Puts a world back to where it started, its clock with the time source again. */
export function resetWorld(world: WorldState): Promise<void> {
  return exclusively(world, () => restartWorld(world));
}

/** What {@link resetWorld} does, as a part of another change. */
export async function restartWorld(world: WorldState): Promise<void> {
  const { apiKey, clock } = world;
  const settings = { ...world.settings, seed: world.seed };
  const source = createClock(settings.time);
  const more = startingRecords(settings) - countOf(world.collections);
  const now = source.now();
  const release = reserve(settings.room, more);
  const contents = await startingPoint(settings, apiKey, now).finally(release);
  Object.assign(world, contents);
  countRecords(world);
  clock.set(source.now());
  world.journal.clear();
  world.faults = startingFaults(settings, apiKey);
}

function startingFaults({ seed, faults, tally, unable }: WorldSettings, apiKey: string): Faults {
  return createFaults({ seed: `${seed}/${apiKey}`, initial: faults, tally, unable });
}

function startingRecords({ world, streams }: WorldSettings): number {
  return expectedRecords(world, streams);
}

async function startingPoint(
  { seed, world, streams }: WorldSettings,
  apiKey: string,
  now: number,
): Promise<Pick<WorldState, 'userId' | 'random' | 'collections'>> {
  const random = createRandom(`${seed}/${apiKey}`);
  const collections = await fillCollections(await buildWorld(world, { random, now, streams }));
  return { userId: createId(createRandom(`${seed}/${apiKey}/user`)), random, collections };
}

/**
 * Runs a change of the world after those before it have finished, so that what it has checked still
 * holds when it writes: adding a record to a collection takes several steps. Whoever answers waits for
 * `saved` then; the next change does not, so that a store can keep several at once.
 */
export function exclusively<Result>(
  world: WorldState,
  change: () => Result | Promise<Result>,
  announced: WorldChange = 'state',
): Promise<Result> {
  const result = world.transition.then(async () => {
    const value = await change();
    countRecords(world);
    announce(world, announced);
    return value;
  });
  world.transition = result.catch(() => {});
  return result;
}
