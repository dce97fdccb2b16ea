import { Problem } from '../problems/problem.ts';
import { acceptsKey } from '../service/api-keys.ts';
import { startWorld } from '../service/replace.ts';
import type { WorldSettings, WorldState } from '../service/world.ts';
import { refuseWorlds } from '../state/limits.ts';
import { openWorld, storedName } from './kept-world.ts';
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
export interface Worlds {
  /**
   * The world of an accepted key; a new key gets a new world.
   * @throws Problem 429 when there are too many.
   */
  open(apiKey: string): Promise<WorldState>;
  /** The open worlds, without those that are still being made. */
  opened(): WorldState[];
  /**
   * The first world for which `has` returns true, among the open and the kept ones. Kept ones that another
   * process may have are not opened for it.
   */
  find(has: (world: WorldState) => boolean): Promise<WorldState | undefined>;
  /** The world of the home key, for requests without a key; `undefined` where it cannot be opened. */
  home(): Promise<WorldState | undefined>;
}

/** The worlds of one mock; each is opened by the first request for it. */
export function createWorlds({ settings, apiKeys, homeKey, store }: WorldsPlan): Worlds {
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
    if (store === undefined) return startWorld(settings, key);
    const name = await storedName(apiKeys, key);
    return openWorld(settings, key, { store, name, forget: () => forget(key) });
  };
  const open = (key: string): Promise<WorldState> => {
    const known = worlds.get(key);
    if (known !== undefined) {
      const held = made.get(key)?.hold?.() ?? true;
      if (held === true) return known;
      return Promise.resolve(held).then((isHeld) => (isHeld ? known : open(key)));
    }
    const world = create(key);
    worlds.set(key, world);
    world.then(
      (state) => made.set(key, state),
      () => worlds.get(key) === world && worlds.delete(key),
    );
    return world;
  };
  const opened = (): WorldState[] => [...made.values()];
  return {
    open,
    opened,
    async find(has) {
      const found = opened().find(has);
      if (found !== undefined) return open(found.apiKey);
      if (isShared) return undefined;
      // After a restart a player may send the first request, which has no key: look in the kept worlds.
      const known = apiKeys ?? [homeKey, ...((await store?.names()) ?? [])];
      for (const key of known) {
        if (!acceptsKey(apiKeys, key)) continue;
        const world = await open(key).catch(passOverRefusal);
        if (world !== undefined && has(world)) return world;
      }
      return undefined;
    },
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
