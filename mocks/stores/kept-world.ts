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
 * Opens the world that `store` keeps under `name`, or makes a new one, and hands every change of it to
 * the store from then on.
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
    // Clients see the new world, so it is kept at once. If that fails they can still read it; the next
    // change reports the error.
    world.keep?.(readWhole(world));
    await world.saved.catch(() => {});
  }
  store.watch?.(name, () => {
    // If it cannot be read, the world stays as it is.
    followStore(world, store, name).catch(() => {});
  });
  return world;
}

/** Hands changes of a world to a store in batches: each has the changes that came during the one before. */
function keepChanges(world: WorldState, store: Store, name: string): void {
  const whole = () => readWhole(world);
  let pending: Change[] = [];
  let hasAll = true;
  let sending: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    // After an error the next call keeps the whole world, as the text of the 507 says.
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

/** Replaces a world with what another process has kept of it. */
function followStore(world: WorldState, store: Store, name: string): Promise<void> {
  return inTurn(world, async () => {
    const { changes } = world;
    const kept = await store.open(name);
    if (kept.length === 0) return restartWorld(world, 'store');
    const { state, clock } = await readKept(world.settings, kept);
    // A change that was made here meanwhile is newer, so what was read is dropped.
    if (world.changes !== changes) return;
    replaceState(world, { state, now: clock.now(), speed: clock.speed(), origin: 'store' });
  });
}

/** Builds a world from its changes; its clock advances by the time since the last one. */
async function readKept(
  settings: WorldSettings,
  kept: readonly Change[],
): Promise<{ state: State; clock: AdjustableClock }> {
  const { seed, time, progress } = settings;
  const { state, at, now, speed } = await replay(kept, (applied) =>
    progress?.(applied, kept.length),
  );
  const clock = createClock(time);
  clock.set(Math.round(now + Math.max(0, readTime(settings) - at) * speed), speed);
  // A reset uses the seed of today's options.
  return { state: { ...state, seed }, clock };
}

/** The name under which a world is kept. Given keys are secrets, so only their digest is stored. */
export async function storedName(
  apiKeys: readonly string[] | undefined,
  apiKey: string,
): Promise<string> {
  if (apiKeys === undefined) return apiKey;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
