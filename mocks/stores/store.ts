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
   * Keeps changes of a world, oldest first, after those of earlier calls. Resolves once they are
   * durable; nobody is told of them before. Calls come without waiting for each other, and what a store
   * keeps together is kept together or not at all. To keep a change twice does no harm, if those after
   * it are kept again as well.
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
