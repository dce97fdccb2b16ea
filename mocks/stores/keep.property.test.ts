import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import type { World } from '../service/handle.ts';
import { during, newFolder } from './file.test-support.ts';
import { fileStore } from './file.ts';
import type { Store } from './store.ts';

/** Does something to a world; a refusal is a fair outcome as well. */
type Action = (world: World) => Promise<unknown>;

/** The stream at a place in the list, if there is one, or else an unknown id. */
function pick(world: World, place: number): string {
  const streams = world.streams();
  return streams[place % Math.max(1, streams.length)]?.id ?? 'unknown';
}

const place = fc.nat({ max: 9 });
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ name: fc.string(), record: fc.boolean() }).map(
    (stream): Action =>
      (world) =>
        world.createStream(stream),
  ),
  fc.tuple(place, fc.boolean()).map(
    ([at, record]): Action =>
      (world) =>
        world.setRecord(pick(world, at), record),
  ),
  fc.tuple(place, fc.option(fc.integer({ min: 1, max: 60 }))).map(
    ([at, duration]): Action =>
      (world) =>
        world.start(pick(world, at), duration === null ? {} : { duration }),
  ),
  place.map(
    (at): Action =>
      (world) =>
        world.stop(pick(world, at)),
  ),
  place.map(
    (at): Action =>
      (world) =>
        world.deleteStream(pick(world, at)),
  ),
  fc.nat({ max: 100_000 }).map(
    (ahead): Action =>
      async (world) =>
        world.clock.advance(ahead),
  ),
  fc.constantFrom<Action>(
    async (world) => world.saveSnapshot('a'),
    (world) => world.restoreSnapshot('a'),
    (world) => world.reset(),
    (world) => world.importState(world.exportState()),
  ),
);

/** Does all of them in one tick, as requests come at once; a refusal changes nothing. */
async function doAll(world: World, actions: readonly Action[]): Promise<void> {
  await Promise.allSettled(actions.map(async (action) => action(world)));
}

/** A store, and a wait for what it was given: nobody else waits for a clock that is advanced. */
function awaited(store: Store): { store: Store; settle: () => Promise<void> } {
  const given: Promise<void>[] = [];
  const append: Store['append'] = (...change) => {
    const kept = store.append(...change);
    given.push(kept);
    return kept;
  };
  const settle = async (): Promise<void> => {
    for (const kept of given) {
      await kept;
      // The end of one may be the beginning of the next, a moment later.
      await new Promise(setImmediate);
    }
  };
  return { store: { ...store, append }, settle };
}

const exported = (world: World): string => JSON.stringify(world.exportState());

test('whatever is done to a world, its file gives the same bytes as its memory, even where nobody closes it', async () => {
  const folder = await newFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyAction, { maxLength: 5 }), { maxLength: 6 }),
      async (groups) => {
        const path = join(folder, `${run++}`);
        const inMemory = await createMock({ world: 'demo' }).world();
        const copy = `${path}-copy`;
        await during(path, async (store) => {
          const { store: observed, settle } = awaited(store);
          const inFile = await createMock({ world: 'demo', store: observed }).world();
          for (const group of groups) {
            await doAll(inMemory, group);
            await doAll(inFile, group);
            expect(exported(inFile)).toBe(exported(inMemory));
          }
          await settle();
          // As a killed process leaves it.
          await copyFile(path, copy);
        });
        const store = await fileStore(copy);
        const again = await createMock({ world: 'demo', store }).world();
        expect(exported(again)).toBe(exported(inMemory));
        await store.close();
      },
    ),
    { numRuns: 40 },
  );
});
