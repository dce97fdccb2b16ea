import {
  createWorld,
  readTime,
  readWhole,
  replaceState,
  resetWorld,
  startWorld,
  type WorldSettings,
  type WorldState,
} from '../service/world.ts';
import type { Change } from '../state/change.ts';
import { type AdjustableClock, createClock } from '../state/clock.ts';
import { refuseRecords } from '../state/limits.ts';
import { nextTurn } from '../state/next-turn.ts';
import { applyUpdate, readState, type State } from '../state/state.ts';
import type { Store } from './store.ts';

/**
 * Makes the world that `store` keeps under `name`, or that of a key as it is at first, and has every
 * change of it kept from then on.
 */
export async function openWorld(
  settings: WorldSettings,
  apiKey: string,
  store: Store,
  name: string,
): Promise<WorldState> {
  const kept = await store.open(name);
  const read = kept.length === 0 ? undefined : await readKept(settings, kept);
  const world = read
    ? createWorld(settings, apiKey, read.state, read.clock)
    : await startWorld(settings, apiKey);
  keepChanges(world, store, name);
  if (read === undefined) {
    // It was made at this moment, and clients see it. Where it cannot be kept they may still look: the
    // first change will say so.
    world.keep?.(readWhole(world));
    await world.saved.catch(() => {});
  }
  store.watch?.(name, () => {
    // What cannot be read changes nothing here: the world goes on as it is.
    followStore(world, store, name).catch(() => {});
  });
  return world;
}

function keepChanges(world: WorldState, store: Store, name: string): void {
  const whole = () => readWhole(world);
  let hasAll = true;
  world.keep = (change) => {
    // A change that could not be kept was promised to be kept with the next one.
    const changes = hasAll ? [change] : [whole()];
    hasAll = true;
    world.saved = store.append(name, changes, whole);
    // Whoever waits for it hears of it; code that moves the clock on does not wait.
    world.saved.catch(() => {
      hasAll = false;
    });
  };
}

/** Does to a world what somebody else has done to what is kept of it. */
async function followStore(world: WorldState, store: Store, name: string): Promise<void> {
  const kept = await store.open(name);
  if (kept.length === 0) return resetWorld(world, 'store');
  const { state, clock } = await readKept(world.settings, kept);
  replaceState(world, state, clock.now(), 'store');
}

/** Records that are read in one go; others are answered in between. */
const sliceLength = 1000;

/** Reads a world out of its changes. Time has passed since the last, as far as the time source says so. */
async function readKept(
  settings: WorldSettings,
  kept: readonly Change[],
): Promise<{ state: State; clock: AdjustableClock }> {
  let state: State | undefined;
  let ahead = 0;
  let left = 0;
  let read = 0;
  for (const [index, change] of kept.entries()) {
    const { now } = 'state' in change ? change.state : change;
    if (now !== undefined) ahead = now - change.at;
    left = change.at;
    if ('state' in change) {
      // A reset goes by the options that the mock has now.
      state = await readState({ ...change.state, seed: settings.seed }, (whole) => whole);
    } else if (state !== undefined) {
      applyUpdate(state, change);
      read += (change.streams?.length ?? 0) + (change.sessions?.length ?? 0);
      if (read >= sliceLength) {
        settings.progress?.(index, kept.length);
        await nextTurn();
      }
      read %= sliceLength;
    }
  }
  if (state === undefined) {
    throw new Error('store: expected what it kept of a world to begin with a whole state');
  }
  settings.progress?.(kept.length, kept.length);
  refuseRecords(settings.room, state.records.count());
  const clock = createClock(settings.time);
  clock.set(Math.max(left, readTime(settings)) + ahead);
  return { state, clock };
}

/** The name under which a world is kept: keys that were given are secrets and leave no trace. */
export async function storedName(
  apiKeys: readonly string[] | undefined,
  apiKey: string,
): Promise<string> {
  if (apiKeys === undefined) return apiKey;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
