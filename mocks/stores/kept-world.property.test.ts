import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import type { World } from '../service/world-handle.ts';
import { during, newFolder } from './file.test-support.ts';
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

const anyGroups = fc.array(fc.array(anyAction, { maxLength: 5 }), { maxLength: 6 });
const anyShare = fc.double({ min: 0, max: 1, noNaN: true });

/** Does all of them in one tick, as requests come at once; a refusal changes nothing. */
async function doAll(world: World, actions: readonly Action[]): Promise<void> {
  await Promise.allSettled(actions.map(async (action) => action(world)));
}

const exported = (world: World): string => JSON.stringify(world.exportState());

test('whatever is done to a world, its file gives the same bytes as its memory', async () => {
  const folder = await newFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyGroups, async (groups) => {
      const path = join(folder, `${run++}`);
      const inMemory = await createMock({ world: 'demo' }).world();
      await during(path, async (store) => {
        const { observed, settle } = observe(path, store);
        const inFile = await createMock({ world: 'demo', store: observed }).world();
        for (const group of groups) {
          await doAll(inMemory, group);
          await doAll(inFile, group);
          expect(exported(inFile)).toBe(exported(inMemory));
        }
        await settle();
      });
      expect(await reopened(path)).toBe(exported(inMemory));
    }),
    { numRuns: 40 },
  );
});

test('a file that is cut anywhere, as by a kill, gives what the world was once all acknowledged was done, or later', async () => {
  const folder = await newFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyGroups, anyShare, async (groups, share) => {
      const path = join(folder, `${run++}`);
      const { states, acknowledged } = await during(path, async (store) => {
        const { observed, settle, ...seen } = observe(path, store);
        const world = await createMock({ world: 'demo', store: observed }).world();
        for (const group of groups) await doAll(world, group);
        await settle();
        return seen;
      });
      const bytes = await readFile(path);
      // The first write of a file is there whole or not at all.
      const least = acknowledged[0]?.size ?? 0;
      const size = least + Math.round(share * (bytes.length - least));
      await writeFile(path, bytes.subarray(0, size));
      const first = acknowledged.findLast((at) => at.size <= size)?.state ?? 0;
      expect(states.slice(first)).toContain(await reopened(path));
    }),
    { numRuns: 60 },
  );
});

async function reopened(path: string): Promise<string> {
  return during(path, async (store) =>
    exported(await createMock({ world: 'demo', store }).world()),
  );
}

/** A store that notes the states that it is given, and the size of its file when each was acknowledged. */
function observe(path: string, store: Store) {
  const given: Promise<void>[] = [];
  const states: string[] = [];
  const acknowledged: { size: number; state: number }[] = [];
  const keep: Store['append'] = async (name, changes, whole) => {
    const state = states.push(JSON.stringify(whole().state)) - 1;
    await store.append(name, changes, whole);
    acknowledged.push({ size: (await stat(path)).size, state });
  };
  const append: Store['append'] = (...change) => {
    const kept = keep(...change);
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
  return { observed: { ...store, append }, states, acknowledged, settle };
}
