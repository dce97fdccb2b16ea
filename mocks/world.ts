import { createId } from '../fixtures/ids.ts';
import { createRandom, type Random } from '../fixtures/random.ts';
import { buildWorld, type WorldName } from '../fixtures/worlds.ts';
import { type AdjustableClock, createClock } from './clock.ts';
import { type Collections, fillCollections } from './collections.ts';
import { createJournal, type Journal, type JournalRoom } from './journal.ts';

/** What every world of a mock starts from. */
export interface WorldSettings {
  readonly world: WorldName;
  /** Number of streams in the crowded world. */
  readonly streams: number;
  readonly seed: string;
  /** Milliseconds from the end of a session until its recording is ready. */
  readonly recordingDelay: number;
  /** The time source: milliseconds since 1970. */
  readonly now: () => number;
  /** What the journals of all worlds have left together. */
  readonly journalRoom: JournalRoom;
}

/**
 * What there is to hear of a world: its records have changed or were loaded from a store, its clock
 * was moved on, a request was answered.
 */
export type WorldChange = 'state' | 'loaded' | 'clock' | 'exchange';

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
  /** Called after every change, before it is answered. */
  readonly listeners: Set<(change: WorldChange) => void>;
  /** The last transition; the next one waits for it. */
  transition: Promise<unknown>;
  /** Settles once all changes are kept, where there is a store to keep them. */
  saved: Promise<void>;
}

/** Makes the world of a key as it is at first: the same settings and key give the same records. */
export async function createWorld(settings: WorldSettings, apiKey: string): Promise<WorldState> {
  const listeners: WorldState['listeners'] = new Set();
  const clock = createClock(settings.now, () => announce({ listeners }, 'clock'));
  return {
    apiKey,
    settings,
    clock,
    ...(await startingPoint(settings, apiKey, clock.now())),
    journal: createJournal(settings.journalRoom),
    listeners,
    transition: Promise.resolve(),
    saved: Promise.resolve(),
  };
}

/** Tells all who listen what has changed. */
export function announce({ listeners }: Pick<WorldState, 'listeners'>, change: WorldChange): void {
  for (const listener of listeners) listener(change);
}

/** Puts a world back to where it started, its clock with the time source again. */
export function resetWorld(world: WorldState, announced?: WorldChange): Promise<void> {
  const start = async (): Promise<void> => {
    const { settings, apiKey, clock } = world;
    const source = createClock(settings.now);
    Object.assign(world, await startingPoint(settings, apiKey, source.now()));
    clock.set(source.now());
    world.journal.clear();
  };
  return exclusively(world, start, announced);
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
 * holds when it writes: adding a record to a collection takes several steps. Resolves when the change
 * is kept.
 */
export function exclusively<Result>(
  world: WorldState,
  change: () => Result | Promise<Result>,
  announced: WorldChange = 'state',
): Promise<Result> {
  const result = world.transition.then(async () => {
    const value = await change();
    announce(world, announced);
    await world.saved;
    return value;
  });
  world.transition = result.catch(() => {});
  return result;
}
