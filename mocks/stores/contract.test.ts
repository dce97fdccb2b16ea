import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tools/temporary.test-support.ts';
import type { Change } from '../state/change.ts';
import { type OpenStore, storeContract } from './contract.ts';
import { fileStore } from './file.ts';
import type { Store } from './store.ts';

type Append = (kept: Map<string, Change[]>) => Store['append'];

/** Stores in memory, which keep changes as `append` does. */
function memoryStores(append: Append): OpenStore {
  const places = new Map<string, Map<string, Change[]>>();
  return async (place) => {
    const kept = places.get(place) ?? new Map<string, Change[]>();
    places.set(place, kept);
    return {
      open: async (name) => kept.get(name) ?? [],
      append: append(kept),
      names: async () => [...kept.keys()],
    };
  };
}

const add = (kept: Map<string, Change[]>, name: string, changes: readonly Change[]): void => {
  kept.set(name, [...(kept.get(name) ?? []), ...changes]);
};

const inMemory = memoryStores((kept) => async (name, changes) => add(kept, name, changes));

const inMemoryWhole = memoryStores((kept) => async (name, _, whole) => {
  await Promise.resolve();
  kept.set(name, [whole()]);
});

describe.each([
  ['one in memory', async () => inMemory],
  ['one in memory that replaces what it has', async () => inMemoryWhole],
  [
    'a file',
    async (): Promise<OpenStore> => {
      const folder = temporaryFolder();
      return (place) => fileStore(join(folder, place));
    },
  ],
] as const)('the contract of a store: %s', (_, prepare) => {
  test.each(storeContract)('$title', async ({ check }) => {
    await check(await prepare());
  });
});

type Put = (kept: Map<string, Change[]>, name: string, changes: readonly Change[]) => void;

const store = (put: Put) =>
  memoryStores((kept) => async (name, changes) => put(kept, name, changes));

/** What a store does wrong, the store itself, and a rule that it breaks. */
const broken: readonly (readonly [string, OpenStore, string])[] = [
  [
    'keeps the latest change first',
    store((kept, name, changes) => kept.set(name, [...changes, ...(kept.get(name) ?? [])])),
    'changes are kept in their order',
  ],
  [
    'says that it has kept what it has yet to keep',
    store((kept, name, changes) => void setImmediate(() => add(kept, name, changes))),
    'changes are kept in their order',
  ],
  [
    'forgets what came before',
    store((kept, name, changes) => kept.set(name, [...changes])),
    'a world continues after the store was opened again',
  ],
  [
    'has two changes write at once',
    memoryStores((kept) => async (name, changes) => {
      const before = kept.get(name) ?? [];
      await Promise.resolve();
      kept.set(name, [...before, ...changes]);
    }),
    'changes that come at once are all kept, in their order',
  ],
  [
    'has one room for all worlds',
    store((kept, name, changes) => {
      add(kept, name, changes);
      for (const other of kept.keys()) kept.set(other, kept.get(name) ?? []);
    }),
    'worlds are kept apart',
  ],
  [
    'cannot tell capitals',
    store((kept, name, changes) => add(kept, name.toLowerCase(), changes)),
    'a world is kept under any name',
  ],
];

test.each(broken)('a store that %s does not pass', async (_, openStore, rule) => {
  expect(await rulesBroken(openStore)).toContain(rule);
});

/** The rules that a store breaks. */
async function rulesBroken(openStore: OpenStore): Promise<string[]> {
  const verdicts = storeContract.map(async ({ title, check }) => {
    try {
      await check(openStore);
      return [];
    } catch (exception) {
      const form = /^Error: (names|changes|a world|world test-).*: expected .*, got /s;
      expect(String(exception)).toMatch(form);
      return [title];
    }
  });
  return (await Promise.all(verdicts)).flat();
}
