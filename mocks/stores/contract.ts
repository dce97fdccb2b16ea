import { canonicalJson } from '../../interface/json.ts';
import type { Change } from '../state/change.ts';
import { combine } from '../state/state.ts';
import { replaceBy, session, stream, update } from './contract-samples.ts';
import type { Store } from './store.ts';

/** Opens the store at a place. A new place has an empty store. */
export type OpenStore = (place: string) => Promise<Store & { close?(): Promise<void> }>;

/** A rule that every store follows. */
export interface StoreRule {
  /** What the rule says; also the name of its place. */
  readonly title: string;
  /** @throws Error that says what was expected and what came, or the error of the store. */
  check(openStore: OpenStore): Promise<void>;
}

/**
 * The rules for every {@link Store}, to test your own. Each rule opens the store at its own place, several times in a
 * row. If the store has `close`, it is closed in between.
 *
 * @example
 * ```ts
 * import type { Change, Store } from 'livestream-mock';
 * import { storeContract } from 'livestream-mock/store-contract';
 *
 * const places = new Map<string, Map<string, Change[]>>();
 *
 * async function openStore(place: string): Promise<Store> {
 *   const worlds = places.get(place) ?? new Map<string, Change[]>();
 *   places.set(place, worlds);
 *   return {
 *     open: async (name) => worlds.get(name) ?? [],
 *     append: async (name, changes) => {
 *       worlds.set(name, [...(worlds.get(name) ?? []), ...changes]);
 *     },
 *     names: async () => [...worlds.keys()],
 *   };
 * }
 *
 * for (const { check } of storeContract) await check(openStore);
 * console.log('every rule is kept'); // every rule is kept
 * ```
 */
export const storeContract: readonly StoreRule[] = [
  storeRule('a store is empty at first', ({ verify }) => verify()),
  storeRule('changes are kept in their order', async ({ keep, verify }) => {
    await keep('test-a', replaceBy(3));
    await keep('test-a', update({ streams: [stream(4)], now: 9_000 }), update({ now: 8_000 }));
    await keep('test-a', update({ streams: [stream(2, 'first')] }));
    await keep('test-a', update({ streams: [stream(2, 'second')], random: [5, 6, 7, 8] }));
    await keep('test-a', update({ deleted: [stream(1).id] }));
    await verify();
  }),
  storeRule('a world continues after the store was opened again', async ({ keep, verify }) => {
    await keep('test-a', replaceBy(2));
    await verify();
    await keep('test-a', update({ streams: [stream(3)] }));
    await verify();
    await keep('test-a', update({ sessions: [session(3)] }));
    await verify();
  }),
  storeRule('a replacement takes the place of all before it', async ({ keep, verify }) => {
    await keep('test-a', replaceBy(3), update({ streams: [stream(4)] }));
    await keep('test-a', replaceBy(1));
    await verify();
  }),
  storeRule('changes that come at once are all kept, in their order', async ({ keep, verify }) => {
    await keep('test-a', replaceBy(0));
    const names = Array.from({ length: 100 }, (_, index) => `name ${index}`);
    await Promise.all(
      names.map((name, index) => keep('test-a', update({ streams: [stream(index % 7, name)] }))),
    );
    await verify();
  }),
  storeRule('worlds are kept apart', async ({ keep, verify }) => {
    await Promise.all([keep('test-a', replaceBy(1)), keep('test-b', replaceBy(2))]);
    await keep('test-a', update({ streams: [stream(5, 'of a')] }));
    await keep('test-b', update({ streams: [stream(5, 'of b')] }));
    await verify();
  }),
  storeRule('a world is kept under any name', async ({ keep, verify }) => {
    const digest = '0123456789abcdef'.repeat(4);
    const names = ['test-a/b', 'test-A/B', 'test-../..', 'test-~.=+_-', 'test-__proto__', digest];
    for (const name of [...names, `test-${'x'.repeat(200)}`]) await keep(name, replaceBy(1));
    await verify();
  }),
  storeRule(
    'a world that is deleted is gone, and may begin again',
    async ({ keep, forget, verify }) => {
      await keep('test-a', replaceBy(2), update({ streams: [stream(4)] }));
      await keep('test-b', replaceBy(1));
      await forget('test-a');
      await verify();
      await keep('test-a', replaceBy(1));
      await verify();
    },
  ),
  storeRule('a world that is released continues', async ({ keep, release, verify }) => {
    await keep('test-a', replaceBy(2), update({ streams: [stream(4)] }));
    await release('test-a');
    await keep('test-a', update({ streams: [stream(5)] }));
    await verify();
  }),
  storeRule('text is kept as it is', async ({ keep, verify }) => {
    const texts = ['"\\/', 'two\nlines\r\n', '\u0000\u007f\u2028', 'Käse 🧀', '\ud83e'];
    const streams = texts.map((text, at) => stream(at, text));
    await keep('test-a', replaceBy(0), update({ streams }));
    await verify();
  }),
  storeRule('a large world is kept', async ({ keep, verify }) => {
    await keep('test-a', replaceBy(2_000));
    await keep('test-a', update({ streams: [stream(2_001)] }));
    await verify();
  }),
];

/** A store at one place, and the changes that it was given. */
interface Trial {
  keep(name: string, ...changes: readonly Change[]): Promise<void>;
  /** Deletes a world, if the store can. */
  forget(name: string): Promise<void>;
  /** Releases a world, and opens it again. */
  release(name: string): Promise<void>;
  /** Opens the store again, and compares what it has with what it was given. */
  verify(): Promise<void>;
}

function storeRule(title: string, attempt: (trial: Trial) => Promise<void>): StoreRule {
  return {
    title,
    async check(openStore) {
      const changesOf = new Map<string, Change[]>();
      let store = await openStore(title);
      try {
        await attempt({
          keep(name, ...changes) {
            const allChanges = changesOf.get(name) ?? [];
            changesOf.set(name, allChanges);
            allChanges.push(...changes);
            return store.append(name, changes, () => combine(allChanges));
          },
          async forget(name) {
            if (store.delete === undefined) return;
            await store.delete(name);
            changesOf.delete(name);
            expectSame('a world that was deleted', await store.open(name), []);
          },
          async release(name) {
            await store.release?.(name);
            const changes = changesOf.get(name) ?? [];
            expectSame('a released world', combine(await store.open(name)), combine(changes));
          },
          async verify() {
            await store.close?.();
            store = await openStore(title);
            expectSame('names', (await store.names()).toSorted(), [...changesOf.keys()].toSorted());
            expectSame('a world that was never kept', await store.open('test-none'), []);
            for (const [name, changes] of changesOf) {
              expectSame(`world ${name}`, combine(await store.open(name)), combine(changes));
            }
          },
        });
      } finally {
        await store.close?.();
      }
    },
  };
}

function expectSame(subject: string, got: unknown, expected: unknown): void {
  // A store may change the order of keys.
  const gotJson = canonicalJson(got);
  const expectedJson = canonicalJson(expected);
  if (gotJson === expectedJson) return;
  let at = 0;
  while (gotJson[at] === expectedJson[at]) at++;
  const excerpt = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  throw new Error(`${subject}: expected …${excerpt(expectedJson)}…, got …${excerpt(gotJson)}…`);
}
