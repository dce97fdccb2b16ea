import type { Dialect } from '../../../interface/dialect.ts';
import { createWithoutKeys } from '../equal/without-keys.ts';
import type { CompareOptions } from '../options.ts';
import type { Search } from './search.ts';
import { createMocks, createSide } from './sides.ts';

/** A search between the target of some options and mocks with a dialect. */
export function searchBetween(options: CompareOptions, dialect?: Dialect): Search {
  const { now = Date.now, pause = async () => {}, ...rest } = options;
  const clock = { now, pause };
  return {
    ...{ target: createSide('the target', rest), second: undefined, dialect, clock },
    ...{ mocks: createMocks(clock), patience: 1_000, sharedLists: new Set() },
    ...{ explains: true, shouldStop: () => false, isOver: () => false },
    ...{ secrets: [], withoutKeys: createWithoutKeys([]) },
    ...{ leaveOut: undefined, mayNotRespond: () => true },
  };
}
