import { Problem } from '../messages/problem.ts';
import { resetWorld, startWorld } from '../service/commands.ts';
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
import type { Change, SavedState } from '../state/change.ts';
import { combine } from '../state/state.ts';
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
export async function openKeptWorld(
  settings: WorldSettings,
  apiKey: string,
  place: Place,
): Promise<WorldState> {
  const { store, name } = place;
  const kept = await store.open(name);
  const isNew = kept.length === 0;
  const world = isNew
    ? startWorld(settings, apiKey)
    : createWorld(settings, apiKey, readKept(settings, kept));
  if (store.hold !== undefined) world.hold = () => store.hold?.(name) ?? true;
  keepChanges(world, place);
  if (isNew) {
    // Clients see the new world, so it is kept at once. If that fails they can still read it; the next
    // change reports the error.
    world.keep?.(readWhole(world));
    await world.saved.catch(() => {});
    if (world.dropped) throw elsewhere(1);
  } else if (store.hold !== undefined) {
    // It may be asked for the whole world before the first change.
    await store
      .append(name, [], () => readWhole(world))
      .catch((error) => {
        dropWorld(world);
        throw error;
      });
  }
  let following = Promise.resolve();
  store.watch?.(name, () => {
    const { changes } = world;
    // If it cannot be read, the world stays as it is.
    following = following.then(() => followStore(world, changes, place)).catch(() => {});
  });
  return world;
}

/** Hands changes of a world to a store in batches: each has the changes that came during the one before. */
function keepChanges(world: WorldState, place: Place): void {
  const { store, name } = place;
  const whole = () => readWhole(world);
  let waiting: Change[] = [];
  let hasAll = true;
  let isSending = false;
  const send = async (): Promise<void> => {
    // After an error the next call keeps the whole world, as the text of the 507 says.
    const changes = hasAll ? waiting : [whole()];
    waiting = [];
    hasAll = false;
    isSending = true;
    try {
      // By now the store may have opened the world again, with what another process has changed.
      if (world.dropped) throw elsewhere(1);
      await store.append(name, changes, whole);
      hasAll = true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'elsewhere') leaveWorld(world, place.forget);
      refuseUnkept(error);
    } finally {
      isSending = waiting.length > 0;
    }
  };
  world.keep = (change) => {
    waiting.push(change);
    if (waiting.length > 1) return;
    world.saved = isSending ? world.saved.then(send, send) : send();
    // Requests wait for it and report the error; code that advances the clock does not wait.
    world.saved.catch(() => {});
  };
}

/** Drops a world that another process has taken; `forget` is called for the first time that this is noticed. */
export function leaveWorld(world: WorldState, forget: () => void): void {
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

/** Replaces a world with what another process has kept of it, unless it was changed here since then. */
async function followStore(
  world: WorldState,
  changes: number,
  { store, name }: Place,
): Promise<void> {
  const kept = await store.open(name);
  if (world.changes !== changes) return;
  if (kept.length === 0) resetWorld(world, 'store');
  else replaceState(world, readKept(world.settings, kept), 'store');
}

/** The state that changes lead to; its clock has advanced by the time since the last one. */
function readKept(settings: WorldSettings, kept: readonly Change[]): SavedState {
  const { at, state } = combine(kept);
  const ahead = Math.max(0, readTime(settings) - at) * (state.speed ?? 1);
  // A reset uses the seed of today's options.
  return { ...state, now: Math.round(state.now + ahead), seed: settings.seed };
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
