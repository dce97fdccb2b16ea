import { loadWorld } from '../../fixtures/worlds.ts';
import { Problem } from '../messages/problem.ts';
import { startWorld } from '../service/commands.ts';
import type { WorldSettings, WorldState } from '../service/world.ts';
import { refuseWorlds } from '../state/limits.ts';
import { leaveWorld, openKeptWorld, storedName } from './kept-world.ts';
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
  const forget = (key: string): void => {
    worlds.delete(key);
    made.delete(key);
  };
  const create = async (key: string): Promise<WorldState> => {
    const others = worlds.size - Number(worlds.has(homeKey));
    // The new one and the home world come on top.
    if (key !== homeKey) refuseWorlds(others + 2);
    if (typeof settings.world === 'string') await loadWorld(settings.world);
    if (store === undefined) return startWorld(settings, key);
    const name = await storedName(apiKeys, key);
    return openKeptWorld(settings, key, { store, name, forget: () => forget(key) });
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
        if (!isHeld) leaveWorld(world, () => forget(key));
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
