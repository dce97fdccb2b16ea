import { loadWorld } from '../../fixtures/worlds.ts';
import { Problem } from '../messages/problem.ts';
import { replaceState } from '../service/commit.ts';
import { claimMedia, releaseMedia } from '../service/media-owner.ts';
import type { NoticeKind } from '../service/operator.ts';
import { resetWorld, startWorld } from '../service/whole-world.ts';
import {
  createWorld,
  dropWorld,
  type OpenWorld,
  readTime,
  readWhole,
  type WorldSettings,
} from '../service/world.ts';
import { acceptsKey, digestOf, homeKeyOf } from '../state/api-keys.ts';
import type { Change, SavedState } from '../state/change.ts';
import { maxWorlds, tooMany } from '../state/limits.ts';
import { combine } from '../state/state.ts';
import { isAbandoned, mayLeave, mayMakeRoom } from './idle-worlds.ts';
import { readChanges } from './kept-changes.ts';
import { heldElsewhere, readProblem, type Store, saveProblem } from './store.ts';

/** The worlds of one mock. */
export type Worlds = ReturnType<typeof createWorlds>;

/** Makes the worlds of one mock. The first request for a world opens it. */
export function createWorlds(settings: WorldSettings, store: Store | undefined) {
  const { apiKeys } = settings;
  const homeKey = homeKeyOf(apiKeys);
  /** By key: the worlds that are open or being opened. */
  const promises = new Map<string, Promise<OpenWorld>>();
  /** By key: only those that are open. */
  const openWorlds = new Map<string, OpenWorld>();
  const isShared = store?.hold !== undefined;
  /** By name in the store: worlds that leave memory at the moment, or end. */
  const leaving = new Map<string, Promise<void>>();
  /** What the store calls each open world. */
  const names = new WeakMap<OpenWorld, string>();
  const drop = (world: OpenWorld, problem: Problem): void => {
    dropWorld(world, problem);
    releaseMedia(world);
    promises.delete(world.apiKey);
    openWorlds.delete(world.apiKey);
  };
  const leave = (world: OpenWorld): void => {
    if (world.dropped) return;
    const message = 'another process that shares the store has taken the world';
    settings.operator.tell?.({ kind: 'world-taken', message, apiKey: world.apiKey });
    drop(world, heldElsewhere(1));
  };
  /** Does something with what the store has of a world. Whoever opens the world waits for that. */
  const inStore = (name: string, act: () => Promise<void> | undefined): Promise<void> => {
    const acting = Promise.resolve(leaving.get(name)).then(act);
    const settled = acting
      .catch(() => {})
      .finally(() => {
        if (leaving.get(name) === settled) leaving.delete(name);
      });
    leaving.set(name, settled);
    return acting;
  };
  /** Removes a world from memory and, if it ends, from the store. */
  const remove = async (world: OpenWorld, { ends }: { readonly ends: boolean }): Promise<void> => {
    if (world.dropped) return;
    const name = names.get(world);
    drop(world, noLongerOpen());
    if (store === undefined || name === undefined) return;
    await inStore(name, async () => {
      await world.saved.catch(() => {});
      await (ends ? store.delete?.(name) : store.release?.(name));
    });
  };
  /** Removes the world that has been idle longest among those that may go. Returns whether there was one. */
  const makeRoom = (mayGo: (world: OpenWorld) => boolean): boolean => {
    const [first] = opened()
      .filter(mayGo)
      .toSorted((left, right) => left.usedAt - right.usedAt);
    if (first === undefined) return false;
    void remove(first, { ends: false }).catch(() => {});
    return true;
  };
  settings.recordCount.makeRoom = () => makeRoom((world) => !world.isAsked && mayMakeRoom(world));
  let sweptAt = Number.NEGATIVE_INFINITY;
  /** Removes idle worlds, at most once a minute, so that opening a world costs the same however many there are. */
  const sweep = (): void => {
    const { idle } = settings;
    const now = readTime(settings);
    if (now - sweptAt < sweepInterval) return;
    sweptAt = now;
    for (const world of opened()) {
      const ends = idle !== undefined && isAbandoned(world, idle);
      if (ends || mayLeave(world)) void remove(world, { ends }).catch(() => {});
    }
    if (idle !== undefined && !isShared) void endKept(now - idle).catch(() => {});
  };
  /** Ends the kept worlds that are not open, and that nobody has asked for since some time. */
  const endKept = async (time: number): Promise<void> => {
    for (const name of await keptNames(store)) {
      const isOpen = () => opened().some((world) => names.get(world) === name);
      if (isOpen()) continue;
      await inStore(name, async () => {
        const { at = time } = (await store?.open(name))?.at(-1) ?? {};
        if (at < time && !isOpen()) await store?.delete?.(name);
      });
    }
  };
  const create = async (key: string, isLookUp: boolean): Promise<OpenWorld> => {
    sweep();
    if (promises.size >= maxWorlds && (isLookUp || !makeRoom(mayMakeRoom))) {
      const advice = 'use fewer, end some (DELETE /_mock/world), or a separate mock for each run';
      throw tooMany('API keys', `at most ${maxWorlds} in one mock`, advice);
    }
    if (typeof settings.world === 'string') await loadWorld(settings.world);
    if (store === undefined) return startWorld(settings, key);
    const name = apiKeys === undefined ? key : await digestOf(key);
    await leaving.get(name);
    const world = await openKeptWorld(settings, key, { store, name, leave });
    names.set(world, name);
    return world;
  };
  const createAndClaim = async (key: string, isLookUp: boolean): Promise<OpenWorld> => {
    const world = await create(key, isLookUp);
    world.isAsked = !isLookUp;
    claimMedia(world);
    return world;
  };
  /**
   * Opens the world of an accepted key. A new key gets a new world. Somebody with the key asks for it, unless it is only
   * looked up: then it takes no place from others.
   * @throws Problem 429 if there are too many.
   */
  const open = (key: string, isLookUp = false): Promise<OpenWorld> => {
    const opening = promises.get(key);
    if (opening !== undefined) {
      const world = openWorlds.get(key);
      const { idle } = settings;
      if (world !== undefined && idle !== undefined && isAbandoned(world, idle)) {
        return remove(world, { ends: true }).then(() => open(key, isLookUp));
      }
      if (world !== undefined && !isLookUp) world.isAsked = true;
      const held = world?.hold?.() ?? true;
      if (held === true || world === undefined) return opening;
      return Promise.resolve(held).then((isHeld) => {
        if (!isHeld) leave(world);
        return world.dropped ? open(key) : opening;
      });
    }
    const promise = createAndClaim(key, isLookUp);
    promises.set(key, promise);
    promise.then(
      (world) => openWorlds.set(key, world),
      () => promises.get(key) === promise && promises.delete(key),
    );
    return promise;
  };
  /** The open worlds, without those that are still being opened. */
  const opened = (): OpenWorld[] => [...openWorlds.values()];
  /**
   * Opens the worlds of the given keys and the kept ones, and returns all open worlds. It opens none of a store that
   * other processes share, because one of these may have it.
   */
  const openKept = async (): Promise<OpenWorld[]> => {
    if (isShared) return opened();
    for (const key of apiKeys ?? [homeKey, ...(await keptNames(store))]) {
      if (acceptsKey(apiKeys, key)) await open(key, true).catch(ignoreRefusal);
    }
    return opened();
  };
  return {
    open: (key: string): Promise<OpenWorld> => open(key),
    /**
     * Ends a world: the next request with its key begins a new one.
     * @throws Problem 400 if the store cannot forget it, 503 if it does not.
     */
    async end(world: OpenWorld): Promise<void> {
      if (store !== undefined && store.delete === undefined) {
        const [expected, got] = ['a store that can forget worlds', 'one without the method delete'];
        throw new Problem('not-allowed', { path: 'world', expected, got });
      }
      await remove(world, { ends: true }).catch((exception) => {
        throw readProblem(exception, 'forget the world');
      });
    },
    /** The world of a key if it is open and no other process can take it, so that nobody has to wait for it. */
    openAlready(key: string): OpenWorld | undefined {
      return isShared ? undefined : openWorlds.get(key);
    },
    opened,
    openKept,
    /**
     * The first world for which `has` returns true, among the open ones and then the kept ones: after a restart, the
     * first request may come from a player, without a key.
     */
    async find(has: (world: OpenWorld) => boolean): Promise<OpenWorld | undefined> {
      const world = opened().find(has) ?? (await openKept()).find(has);
      return world && open(world.apiKey);
    },
    /** The world of requests without a key; `undefined` if it cannot be opened. */
    async home() {
      // A request without a key must not take the home world from the process that has it.
      if (isShared) return openWorlds.get(homeKey);
      return open(homeKey).catch(() => undefined);
    },
  };
}

/** The least time between two looks for idle worlds, in milliseconds. */
const sweepInterval = 60_000;

/** The problem of a request that was in progress when its world ended or left memory. */
function noLongerOpen(): Problem {
  const advice = 'nothing was changed; send the request again in 1 s';
  const headers = { 'retry-after': '1' };
  return new Problem('unavailable', {
    path: 'world',
    expected: 'one that is in memory',
    got: 'one that has ended, or was idle and has left it',
    advice,
    headers,
  });
}

/** The names of the kept worlds. @throws Problem 503 if the store cannot say */
async function keptNames(store: Store | undefined): Promise<readonly string[]> {
  try {
    return (await store?.names()) ?? [];
  } catch (exception) {
    throw readProblem(exception, 'list the worlds');
  }
}

/** Ignores that a world is refused, for example because of a limit. */
function ignoreRefusal(exception: unknown): void {
  if (!(exception instanceof Problem)) throw exception;
}

/** Where a world is kept. */
interface StoreOfWorld {
  readonly store: Store;
  readonly name: string;
  /** Called when another process has taken the world. */
  readonly leave: (world: OpenWorld) => void;
}

/**
 * Opens the world that a store keeps under a name, or makes a new one. From then on, every change is handed to the
 * store.
 */
async function openKeptWorld(
  settings: WorldSettings,
  apiKey: string,
  keeper: StoreOfWorld,
): Promise<OpenWorld> {
  const { store, name } = keeper;
  const changes = await readChanges(store, name);
  const last = changes.at(-1);
  const isNew = last === undefined;
  const world = isNew
    ? startWorld(settings, apiKey)
    : createWorld(settings, apiKey, readKept(settings, changes));
  if (last !== undefined) Object.assign(world, { usedAt: last.at, keptAt: last.at });
  const hold = store.hold?.bind(store, name);
  if (hold !== undefined) world.hold = () => holdOrRefuse(hold);
  keepChanges(world, keeper);
  if (isNew) {
    // Clients see the new world, so it is kept at once. If that fails, they can still read it, and the next change
    // reports the error.
    world.keep?.(readWhole(world));
    await world.saved.catch(() => {});
    if (world.dropped) throw world.dropped;
  }
  let following = Promise.resolve();
  store.watch?.(name, () => {
    const count = world.changes;
    // If it cannot be read, the world stays as it is.
    following = following.then(() => followStore(world, count, keeper)).catch(() => {});
  });
  return world;
}

/** Asks whether this process has a world. @throws Problem 503 if the store cannot say */
function holdOrRefuse(hold: () => boolean | Promise<boolean>): boolean | Promise<boolean> {
  try {
    const held = hold();
    return typeof held === 'boolean' ? held : Promise.resolve(held).catch(rejectRead);
  } catch (exception) {
    throw readProblem(exception);
  }
}

function rejectRead(exception: unknown): never {
  throw readProblem(exception);
}

/** Hands the changes of a world to a store in batches: each has the changes that came during the previous one. */
function keepChanges(world: OpenWorld, { store, name, leave }: StoreOfWorld): void {
  const whole = () => readWhole(world);
  const tell = (kind: NoticeKind, message: string) =>
    world.settings.operator.tell?.({ kind, message, apiKey: world.apiKey });
  let waiting: Change[] = [];
  let storeHasAll = true;
  let isSending = false;
  const notKept = (exception: unknown): Problem => {
    const outcome = 'the change is in effect and will be saved with the next one';
    const problem = saveProblem(exception, outcome);
    if (problem.code === 'not-kept') tell('not-kept', problem.message);
    return problem;
  };
  const send = async (): Promise<void> => {
    // After an error, the next call keeps the whole world, as the 507 promises.
    const hadAll = storeHasAll;
    const changes = hadAll ? waiting : [whole()];
    waiting = [];
    storeHasAll = false;
    isSending = true;
    try {
      // The store may have opened the world again by now, with the changes of another process.
      if (world.dropped) throw world.dropped;
      await store.append(name, changes, whole);
      storeHasAll = true;
      if (!hadAll) tell('kept-again', 'every change is saved again');
    } catch (exception) {
      if (exception instanceof Problem && exception.code === 'elsewhere') leave(world);
      throw notKept(exception);
    } finally {
      isSending = waiting.length > 0;
    }
  };
  world.isSaved = () => storeHasAll && waiting.length === 0;
  world.keep = (change) => {
    waiting.push(change);
    if (waiting.length > 1) return;
    // The first one is sent at once, because the store may be closed in the same turn.
    world.saved = isSending ? world.saved.then(send, send) : send();
    // Requests wait for it and report the error. Code that advances the clock does not wait.
    world.saved.catch(() => {});
  };
}

/** Replaces a world with what another process has kept, unless this process has made changes after the first `count`. */
async function followStore(
  world: OpenWorld,
  count: number,
  { store, name }: StoreOfWorld,
): Promise<void> {
  const changes = await readChanges(store, name);
  if (world.changes !== count) return;
  if (changes.length === 0) resetWorld(world, true);
  else replaceState(world, readKept(world.settings, changes), true);
}

/** The state after kept changes. Its clock has advanced by the time since the last of them. */
function readKept(settings: WorldSettings, changes: readonly Change[]): SavedState {
  const { at, state } = combine(changes);
  const elapsed = Math.max(0, readTime(settings) - at) * (state.speed ?? 1);
  return { seed: settings.seed, ...state, now: Math.round(state.now + elapsed) };
}
