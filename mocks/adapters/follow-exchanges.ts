import type { Exchange } from '../journal/exchange.ts';
import type { Mock } from '../mock.ts';
import { testerOfHandle } from '../service/testers/world-handle.ts';
import type { OpenWorld } from '../service/world.ts';

/** What clients have sent to one world. */
export interface WorldExchanges {
  readonly world: OpenWorld;
  readonly exchanges: readonly Exchange[];
}

/**
 * Makes a function that takes all exchanges of a mock since it was last called, also those that a reset, or the end of a
 * world, has removed from the journal in the meantime. A world is followed from the first call after it was opened.
 */
export function followExchanges(mock: Mock): () => Promise<WorldExchanges[]> {
  const untaken = new Map<OpenWorld, Exchange[]>();
  const follow = (world: OpenWorld): void => {
    const exchanges: Exchange[] = [];
    let last = 0;
    const read = (): void => {
      const added = world.journal.exchangesAfter(last);
      exchanges.push(...added);
      last = added.at(-1)?.number ?? last;
    };
    read();
    world.listeners.add((change) => {
      if (change === 'exchange') read();
    });
    untaken.set(world, exchanges);
  };
  return async () => {
    for (const handle of await mock.worlds()) {
      const { world } = testerOfHandle(handle);
      if (!untaken.has(world)) follow(world);
    }
    return [...untaken]
      .map(([world, exchanges]) => ({ world, exchanges: exchanges.splice(0) }))
      .filter(({ exchanges }) => exchanges.length > 0);
  };
}
