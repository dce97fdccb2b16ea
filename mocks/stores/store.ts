import type { Change, Replacement } from '../state/change.ts';

/**
 * Keeps worlds beyond the life of a mock. `storeContract` of `livestream-mock/store-contract` tests
 * whether a store does what is said here.
 */
export interface Store {
  /**
   * What was kept of a world, oldest first: applied in this order, it gives the world. Empty where
   * nothing was kept.
   */
  open(name: string): Promise<readonly Change[]>;
  /**
   * Keeps changes of a world, oldest first, after those of earlier calls, all of them or none. Resolves
   * once they are durable; until then no request that made one of them is answered. The next call for a
   * world comes when the last has settled; calls for several worlds come at once. Where one rejects, the
   * next begins with the whole world. Changes that are applied twice do no harm, if those after them are
   * applied again as well.
   *
   * `whole` reads all of the world as one change that makes those before it superfluous, as the world
   * is when it is called. The latest one that was given may be called at any time. Its arrays and
   * records do not change afterwards, so they may be written bit by bit.
   */
  append(name: string, changes: readonly Change[], whole: () => Replacement): Promise<void>;
  /** Names of the worlds that are kept. */
  names(): Promise<readonly string[]>;
  /** Calls `changed` when somebody else, such as another tab, has kept or removed that world. */
  watch?(name: string, changed: () => void): void;
}
