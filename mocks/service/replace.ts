import { createRandom } from '../../fixtures/random.ts';
import { buildWorld, loadWorld } from '../../fixtures/worlds.ts';
import { fillRecords, readState } from '../state/build-state.ts';
import { type AdjustableClock, createClock } from '../state/clock.ts';
import { reserve } from '../state/limits.ts';
import { countSaved, type SavedState } from '../state/saved-state.ts';
import type { State } from '../state/state.ts';
import { createId } from './ids.ts';
import { buildSession } from './sessions.ts';
import { type Snapshot, startingRecords } from './snapshot.ts';
import { buildStream } from './streams.ts';
import {
  createWorld,
  replaceState,
  startingFaults,
  type WorldSettings,
  type WorldState,
} from './world.ts';

/** Makes the world of a key from the beginning: the same settings and key give the same records. */
export async function startWorld(settings: WorldSettings, apiKey: string): Promise<WorldState> {
  const clock = startClock(settings);
  const plan = { apiKey, seed: settings.seed, now: clock.now(), held: 0 };
  return makeState(settings, plan, (state) => {
    const world = createWorld(settings, apiKey, state, clock);
    if (typeof settings.world === 'object') restoreTraffic(world, settings.world);
    return world;
  });
}

/** A clock that shows what it shows in the state that a world starts with, or else its source's time. */
function startClock({ time, world }: WorldSettings): AdjustableClock {
  const clock = createClock(time);
  if (typeof world === 'object') clock.set(world.now, world.speed);
  return clock;
}

/** Restores the requests and faults of an exported state, if it has them. */
export function restoreTraffic(world: WorldState, { journal = [], faults }: Snapshot): void {
  world.journal.replace(journal);
  if (faults !== undefined) world.faults.resume(faults);
}

/**
 * Resets a world to its beginning, and its clock to the time source. A small world is replaced at once; a
 * large one shows its old state until the new one is complete.
 */
export function resetWorld(world: WorldState): Promise<void> {
  return inTurn(world, () => restartWorld(world, 'client'));
}

/**
 * Replaces everything that a world holds with a saved state; a small one at once. `prepare` is called
 * just before, when nothing can fail any more.
 * @throws Problem 429 when the mock is full.
 */
export function replaceBySaved(
  world: WorldState,
  saved: SavedState,
  prepare: () => void = () => {},
): Promise<void> {
  return inTurn(world, async () => {
    const { seed, records } = world.state;
    const release = reserve(world.settings.recordCount, countSaved(saved) - records.count());
    await readState({ seed, ...saved }, (state) => {
      release();
      replaceState(world, { state, now: saved.now, speed: saved.speed, prepare });
    }).finally(release);
  });
}

/** The part of {@link resetWorld} that runs when its turn has come. */
export function restartWorld(world: WorldState, origin: 'client' | 'store'): Promise<void> {
  const { apiKey, settings } = world;
  const { seed, records } = world.state;
  const clock = startClock(settings);
  const plan = { apiKey, seed, now: clock.now(), held: records.count() };
  return makeState(settings, plan, (state) => {
    const prepare = () => {
      world.journal.clear();
      world.faults = startingFaults(settings, apiKey);
      if (typeof settings.world === 'object') restoreTraffic(world, settings.world);
    };
    replaceState(world, { state, now: clock.now(), speed: clock.speed(), prepare, origin });
  });
}

/**
 * Runs a replacement after the earlier ones, so that they end in the order of their requests and only
 * one at a time needs memory. It begins at once if no other is running.
 */
export async function inTurn(world: WorldState, replace: () => Promise<void>): Promise<void> {
  while (world.replacing !== undefined) await world.replacing;
  const replacing = replace();
  const ended = replacing.catch(() => {});
  world.replacing = ended;
  void ended.then(() => {
    world.replacing = undefined;
  });
  return replacing;
}

/** What the first state of a world is made from. */
interface StatePlan {
  readonly apiKey: string;
  readonly seed: string;
  /** Milliseconds since 1970; every record lies before it. */
  readonly now: number;
  /** Number of records in the state that is replaced. */
  readonly held: number;
}

/** Builds the first state of a world and passes it to `use`. */
async function makeState<Result>(
  { world, streams, recordCount, progress }: WorldSettings,
  { apiKey, seed, now, held }: StatePlan,
  use: (state: State) => Result,
): Promise<Result> {
  const expected = startingRecords(world, streams);
  const release = reserve(recordCount, Math.max(1, expected) - held);
  const releaseAnd = (state: State): Result => {
    release();
    return use(state);
  };
  try {
    if (typeof world === 'object') return await readState({ seed, ...world }, releaseAnd);
    const loading = loadWorld(world);
    if (loading !== undefined) await loading;
    const random = createRandom(`${seed}/${apiKey}`);
    const userId = createId(createRandom(`${seed}/${apiKey}/user`));
    const parts = buildWorld(world, { random, now, streams, buildStream, buildSession });
    const tell = (made: number) => progress?.(Math.min(made, expected), expected);
    return await fillRecords(parts, tell, (records) => {
      tell(expected);
      return releaseAnd({ seed, userId, random: random.state(), records });
    });
  } finally {
    release();
  }
}
