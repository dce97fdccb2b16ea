import { Problem } from '../problems/problem.ts';
import { inTurn, restartWorld, startWorld } from '../service/replace.ts';
import {
  createWorld,
  readTime,
  readWhole,
  replaceState,
  type WorldSettings,
  type WorldState,
} from '../service/world.ts';
import type { Change } from '../state/change.ts';
import { type AdjustableClock, createClock } from '../state/clock.ts';
import { replay } from '../state/replay.ts';
import type { State } from '../state/state.ts';
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
    // Clients see the new world, so it is kept at once. If that fails they can still read it; the first
    // change reports the failure.
    world.keep?.(readWhole(world));
    await world.saved.catch(() => {});
  }
  store.watch?.(name, () => {
    // If it cannot be read, the world stays as it is.
    followStore(world, store, name).catch(() => {});
  });
  return world;
}

/** Gives the changes of a world to a store, one batch after the other; a batch has all that came during the last. */
function keepChanges(world: WorldState, store: Store, name: string): void {
  const whole = () => readWhole(world);
  let pending: Change[] = [];
  let hasAll = true;
  let sending: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    // After a failure the next call brings everything, as the 507 promised.
    const changes = hasAll ? pending : [whole()];
    pending = [];
    next = undefined;
    hasAll = false;
    try {
      await store.append(name, changes, whole);
      hasAll = true;
    } catch (error) {
      refuseUnkept(error);
    } finally {
      if (next === undefined) sending = undefined;
    }
  };
  world.keep = (change) => {
    pending.push(change);
    if (sending === undefined) sending = send();
    else sending = next ??= sending.then(send, send);
    world.saved = sending;
    // Requests wait for it and report the error; code that advances the clock does not wait.
    world.saved.catch(() => {});
  };
}

function refuseUnkept(error: unknown): never {
  if (error instanceof Problem) throw error;
  const message = error instanceof Error ? error.message : String(error);
  throw new Problem('not-kept', {
    path: 'store',
    expected: 'it to keep the change',
    got: `"${message}"`,
    advice: 'the change is made and will be kept with the next one',
  });
}

/** Makes a world follow what somebody else has kept of it. */
function followStore(world: WorldState, store: Store, name: string): Promise<void> {
  return inTurn(world, async () => {
    const { changes } = world;
    const kept = await store.open(name);
    if (kept.length === 0) return restartWorld(world, 'store');
    const { state, clock } = await readKept(world.settings, kept);
    // A change that was made here meanwhile is newer, and overwrites what was read.
    if (world.changes !== changes) return;
    replaceState(world, { state, now: clock.now(), origin: 'store' });
  });
}

/** Reads a world out of its changes. Time has passed since the last, as far as the time source says so. */
async function readKept(
  settings: WorldSettings,
  kept: readonly Change[],
): Promise<{ state: State; clock: AdjustableClock }> {
  const { seed, time, progress } = settings;
  const { state, at, now } = await replay(kept, (applied) => progress?.(applied, kept.length));
  const clock = createClock(time);
  clock.set(now + Math.max(0, readTime(settings) - at));
  // A reset goes by the options that the mock has now.
  return { state: { ...state, seed }, clock };
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
