import { Problem } from '../problems/problem.ts';
import { acceptsKey } from '../service/api-keys.ts';
import { startWorld } from '../service/replace.ts';
import type { WorldSettings, WorldState } from '../service/world.ts';
import { refuseWorlds } from '../state/limits.ts';
import { openWorld, storedName } from './kept-world.ts';
import type { Store } from './store.ts';

/** Which worlds a mock has. */
interface WorldsPlan {
  readonly settings: WorldSettings;
  /** Exactly the accepted keys; `undefined` for any key of the form `test-…`. */
  readonly apiKeys: readonly string[] | undefined;
  /** Whose world there is always room for. */
  readonly homeKey: string;
  readonly store: Store | undefined;
}

/** The worlds of one mock. */
export interface Worlds {
  /**
   * The world of a key that is accepted, which is made where there is none.
   * @throws Problem 429 when there are too many.
   */
  open(apiKey: string): Promise<WorldState>;
  /** Those that are open; one that is being made is not waited for. */
  opened(): WorldState[];
  /** The world for which `has` holds, among those that are open and those that are kept. */
  find(has: (world: WorldState) => boolean): Promise<WorldState | undefined>;
}

/** Makes the worlds of a mock; each is opened when it is asked for. */
export function createWorlds({ settings, apiKeys, homeKey, store }: WorldsPlan): Worlds {
  const worlds = new Map<string, Promise<WorldState>>();
  const made = new Map<string, WorldState>();
  const create = async (key: string): Promise<WorldState> => {
    const others = worlds.size - Number(worlds.has(homeKey));
    // One more, and the home world.
    if (key !== homeKey) refuseWorlds(others + 2);
    if (store === undefined) return startWorld(settings, key);
    return openWorld(settings, key, store, await storedName(apiKeys, key));
  };
  const open = (key: string): Promise<WorldState> => {
    const known = worlds.get(key);
    if (known !== undefined) return known;
    const world = create(key);
    worlds.set(key, world);
    world.then(
      (state) => made.set(key, state),
      () => worlds.delete(key),
    );
    return world;
  };
  const opened = (): WorldState[] => [...made.values()];
  return {
    open,
    opened,
    async find(has) {
      const found = opened().find(has);
      if (found !== undefined) return found;
      // After a restart a player may come before any request with a key: these worlds are known.
      const known = apiKeys ?? [homeKey, ...((await store?.names()) ?? [])];
      for (const key of known) {
        if (!acceptsKey(apiKeys, key)) continue;
        const world = await open(key).catch(passOverRefusal);
        if (world !== undefined && has(world)) return world;
      }
      return undefined;
    },
  };
}

/** A world that there is no room for holds nothing that can be shown. */
function passOverRefusal(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}
