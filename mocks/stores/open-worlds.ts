import { loadWorld } from '../../fixtures/worlds.ts';
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
import { refuseWorlds } from '../state/limits.ts';
import { combine } from '../state/state.ts';
import type { Store } from './store.ts';

/** What {@link createWorlds} needs. */
interface WorldsPlan {
  readonly settings: WorldSettings;
  /** The accepted keys; `undefined` when any key of the form `test-…` is accepted. */
  readonly apiKeys: readonly string[] | undefined;
  /** The key whose world the limit always leaves room for. */
  readonly homeKey: string;
  readonly store: Store | undefined;
}

/** The worlds of one mock. */
export type Worlds = ReturnType<typeof createWorlds>;

/** The worlds of one mock; each is opened by the first request for it. */
export function createWorlds({ settings, apiKeys, homeKey, store }: WorldsPlan) {
  const worlds = new Map<string, Promise<WorldState>>();
  const made = new Map<string, WorldState>();
  const isShared = store?.hold !== undefined;
  /** Drops a world that another process has taken. */
  const leave = (world: WorldState): void => {
    if (world.dropped) return;
    dropWorld(world);
    worlds.delete(world.apiKey);
    made.delete(world.apiKey);
  };
  const create = async (key: string): Promise<WorldState> => {
    const others = worlds.size - Number(worlds.has(homeKey));
    // The new one and the home world come on top.
    if (key !== homeKey) refuseWorlds(others + 2);
    if (typeof settings.world === 'string') await loadWorld(settings.world);
    if (store === undefined) return startWorld(settings, key);
    const name = await (apiKeys === undefined ? key : digestOf(key));
    return openKeptWorld(settings, key, { store, name, leave });
  };
  /**
   * The world of an accepted key; a new key gets a new world.
   * @throws Problem 429 when there are too many.
   */
  const open = (key: string): Promise<WorldState> => {
    const known = worlds.get(key);
    if (known !== undefined) {
      const world = made.get(key);
      const held = world?.hold?.() ?? true;
      if (held === true || world === undefined) return known;
      return Promise.resolve(held).then((isHeld) => {
        if (!isHeld) leave(world);
        return world.dropped ? open(key) : known;
      });
    }
    const world = create(key);
    worlds.set(key, world);
    world.then(
      (state) => made.set(key, state),
      () => worlds.get(key) === world && worlds.delete(key),
    );
    return world;
  };
  /** The open worlds, without those that are still being made. */
  const opened = (): WorldState[] => [...made.values()];
  /** The keys of the worlds that no other process can have. */
  const keysToOpen = async (): Promise<readonly string[]> => {
    if (isShared) return [];
    return apiKeys ?? [homeKey, ...((await store?.names()) ?? [])];
  };
  /**
   * The first world for which `has` returns true, among the open ones and then the kept ones: after a restart
   * a player, whose requests have no key, may send the first request.
   */
  const find = async (has: (world: WorldState) => boolean): Promise<WorldState | undefined> => {
    const found = opened().find(has);
    if (found !== undefined) return open(found.apiKey);
    for (const key of await keysToOpen()) {
      if (made.has(key) || !acceptsKey(apiKeys, key)) continue;
      const world = await open(key).catch(passOverRefusal);
      if (world !== undefined && has(world)) return world;
    }
    return undefined;
  };
  return {
    open,
    opened,
    /**
     * The open worlds, after those of the given keys and the kept ones were opened. Those of a store that other
     * processes use too are not: one of them may have them.
     */
    async openKept() {
      await find(() => false);
      return opened();
    },
    find,
    /** The world of the home key, for requests without a key; `undefined` where it cannot be opened. */
    async home() {
      // A request without a key must not take the home world from the process that has it.
      if (isShared) return made.get(homeKey);
      return open(homeKey).catch(() => undefined);
    },
  };
}

/** There is nothing to show of a world that the limit refuses. */
function passOverRefusal(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

/** Where a world is kept. */
interface Place {
  readonly store: Store;
  readonly name: string;
  /** Called when another process has taken the world. */
  readonly leave: (world: WorldState) => void;
}

/**
 * Opens the world that a store keeps under a name, or makes a new one, and hands every change of it to
 * the store from then on.
 */
async function openKeptWorld(
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
function keepChanges(world: WorldState, { store, name, leave }: Place): void {
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
      if (!(error instanceof Problem)) throw unkept(error);
      if (error.code === 'elsewhere') leave(world);
      throw error;
    } finally {
      isSending = waiting.length > 0;
    }
  };
  world.keep = (change) => {
    waiting.push(change);
    if (waiting.length > 1) return;
    // The first is sent at once, as the store may be closed in the same turn.
    world.saved = isSending ? world.saved.then(send, send) : send();
    // Requests wait for it and report the error; code that advances the clock does not wait.
    world.saved.catch(() => {});
  };
}

function unkept(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  return new Problem('not-kept', {
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

/** Given keys are secrets, so a store has only their digest. */
async function digestOf(apiKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The form of an API key where no exact keys are given. */
const openKey = /^test-[\w.~+/=-]{1,200}$/;

/** Whether an API key is accepted: one of `apiKeys`, or without these any of the form `test-…`. */
export function acceptsKey(apiKeys: readonly string[] | undefined, apiKey: string): boolean {
  return apiKeys === undefined ? openKey.test(apiKey) : apiKeys.includes(apiKey);
}

/** What a client should send, in words. Given keys are secrets, so the text does not show them. */
export function expectedKey(apiKeys: readonly string[] | undefined): string {
  return apiKeys === undefined
    ? 'a key of the form test-… (such as test-demo)'
    : 'one of the keys that this mock was started with';
}
