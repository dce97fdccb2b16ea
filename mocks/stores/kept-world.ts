import { Problem } from '../problems/problem.ts';
import { inTurn, restartWorld, startWorld } from '../service/replace.ts';
import {
  createWorld,
  dropWorld,
  elsewhere,
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

/** Where a world is kept. */
interface Place {
  readonly store: Store;
  readonly name: string;
  /** Called when another process has taken the world. */
  readonly forget: () => void;
}

/**
 * Opens the world that a store keeps under a name, or makes a new one, and hands every change of it to
 * the store from then on.
 */
export async function openWorld(
  settings: WorldSettings,
  apiKey: string,
  place: Place,
): Promise<WorldState> {
  const { store, name } = place;
  const kept = await store.open(name);
  const read = kept.length === 0 ? undefined : await readKept(settings, kept);
  const world = read
    ? createWorld(settings, apiKey, read.state, read.clock)
    : await startWorld(settings, apiKey);
  if (store.hold !== undefined) world.hold = () => holdWorld(world, place);
  keepChanges(world, place);
  if (read === undefined) {
    // Clients see the new world, so it is kept at once. If that fails they can still read it; the next
    // change reports the error.
    world.keep?.(readWhole(world));
    await world.saved.catch(() => {});
    if (world.dropped) throw elsewhere(1);
  } else if (store.hold !== undefined) {
    // It may be asked for the whole world before the first change.
    await store.append(name, [], () => readWhole(world));
  }
  store.watch?.(name, () => {
    // If it cannot be read, the world stays as it is.
    followStore(world, store, name).catch(() => {});
  });
  return world;
}

/** Hands changes of a world to a store in batches: each has the changes that came during the one before. */
function keepChanges(world: WorldState, place: Place): void {
  const { store, name } = place;
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
      // By now the store may have opened the world again, with what another process has changed.
      if (world.dropped) throw elsewhere(1);
      await store.append(name, changes, whole);
      hasAll = true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'elsewhere') leaveWorld(world, place);
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

/** Whether this process still has a world; if not, the world is dropped. */
function holdWorld(world: WorldState, place: Place): boolean | Promise<boolean> {
  const held = place.store.hold?.(place.name);
  if (held instanceof Promise) return held.then((isHeld) => stayOrLeave(world, place, isHeld));
  return stayOrLeave(world, place, held);
}

function stayOrLeave(world: WorldState, place: Place, isHeld: boolean | undefined): boolean {
  if (isHeld === false) leaveWorld(world, place);
  return !world.dropped;
}

function leaveWorld(world: WorldState, { forget }: Place): void {
  if (world.dropped) return;
  dropWorld(world);
  forget();
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
  const { state, at, now, speed } = await replay(kept, progress);
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
