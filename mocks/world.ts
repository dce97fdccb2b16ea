import { createId } from '../fixtures/ids.ts';
import { createRandom, type Random } from '../fixtures/random.ts';
import { buildWorld, type WorldName } from '../fixtures/worlds.ts';
import { type AdjustableClock, createClock } from './clock.ts';
import { type Collections, fillCollections } from './collections.ts';

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
}

/** All that one API key can see. */
export interface WorldState {
  readonly apiKey: string;
  readonly settings: WorldSettings;
  readonly clock: AdjustableClock;
  /** The account behind the key. */
  userId: string;
  random: Random;
  collections: Collections;
  /** The last transition; the next one waits for it. */
  transition: Promise<unknown>;
}

/** Makes the world of a key as it is at first: the same settings and key give the same records. */
export async function createWorld(settings: WorldSettings, apiKey: string): Promise<WorldState> {
  const clock = createClock(settings.now);
  const start = await startingPoint(settings, apiKey, clock.now());
  return { apiKey, settings, clock, ...start, transition: Promise.resolve() };
}

/** Puts a world back to where it started, its clock with the time source again. */
export function resetWorld(world: WorldState): Promise<void> {
  return exclusively(world, async () => {
    const { settings, apiKey, clock } = world;
    const source = createClock(settings.now);
    Object.assign(world, await startingPoint(settings, apiKey, source.now()));
    clock.set(source.now());
  });
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
 * holds when it writes: adding a record to a collection takes several steps.
 */
export function exclusively<Result>(
  world: WorldState,
  change: () => Result | Promise<Result>,
): Promise<Result> {
  const result = world.transition.then(change);
  world.transition = result.catch(() => {});
  return result;
}
