import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, Replacement } from '../state/change.ts';
import { changedWorlds, during, newFolder, newPath, readWorlds } from './file.test-support.ts';
import { apply, replaceBy, session, stream, update } from './sample-changes.ts';

const number = fc.nat({ max: 9 });
const name = fc.constantFrom('test-a', 'test-b');

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0, 3, 250).map(replaceBy) },
  {
    weight: 8,
    arbitrary: fc.oneof(
      fc.tuple(number, fc.string()).map(([at, text]) => update({ streams: [stream(at, text)] })),
      number.map((at) => update({ sessions: [session(at)] })),
      number.map((at) => update({ deleted: [stream(at).id] })),
      fc.nat().map((now) => update({ now, random: [now, 1, 2, 3] })),
    ),
  },
);

/** Changes that come at once, again and again. */
const anyBatches = fc.array(fc.array(fc.tuple(name, anyChange), { minLength: 1, maxLength: 4 }), {
  maxLength: 12,
});

test('a file that is cut anywhere gives a state with all that was acknowledged; a whole one, the last', async () => {
  const folder = await newFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      anyBatches,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (batches, share) => {
        const path = join(folder, `${run++}`);
        const { states, change } = changedWorlds();
        /** How many of the states were acknowledged when the file had that size. */
        const acknowledged: { size: number; count: number }[] = [];
        await during(path, async (store) => {
          await change(store, ['test-a', replaceBy(1)], ['test-b', replaceBy(0)]);
          acknowledged.push({ size: (await stat(path)).size, count: states.length });
          for (const batch of batches) {
            await change(store, ...batch);
            acknowledged.push({ size: (await stat(path)).size, count: states.length });
          }
        });
        expect(await readWorlds(path)).toEqual(states.at(-1));
        const bytes = await readFile(path);
        // The first write of a file is there whole or not at all.
        const least = acknowledged[0]?.size ?? 0;
        const size = least + Math.round(share * (bytes.length - least));
        await writeFile(path, bytes.subarray(0, size));
        const count = acknowledged.findLast((at) => at.size <= size)?.count ?? 0;
        expect(states.slice(count - 1)).toContainEqual(await readWorlds(path));
      },
    ),
    { numRuns: 100 },
  );
});

test('whatever moment of a compaction is the last, a state that holds all acknowledged is there', async () => {
  const path = await newPath();
  const copies: (Copy & { readonly acknowledged: number })[] = [];
  await during(path, async (store) => {
    let made = 0;
    let acknowledged = 0;
    const change = async (make: (world: WorldName) => Change): Promise<void> => {
      const number = made;
      await Promise.all(
        worldNames.map((world) =>
          store.append(world, [make(world)], () => stateAfter(made, world)),
        ),
      );
      acknowledged = Math.max(acknowledged, number);
    };
    const begin = (world: WorldName) => stateAfter(0, world);
    await change(begin);
    await change(begin);
    const { ino } = await stat(path);
    const isCompacted = async (): Promise<boolean> => (await stat(path)).ino !== ino;
    const changeOn = async (): Promise<void> => {
      while (!(await isCompacted())) {
        made += 1;
        const one = changeOf(made);
        await change(() => one);
      }
    };
    const copyOn = async (): Promise<void> => {
      while (!(await isCompacted())) {
        const before = acknowledged;
        copies.push({ ...(await copyFiles(path)), acknowledged: before });
      }
    };
    await Promise.all([copyOn(), ...Array.from({ length: 5 }, changeOn)]);
    copies.push({ ...(await copyFiles(path)), acknowledged });
  });
  expect(copies.filter(({ hasDraft }) => hasDraft)).not.toEqual([]);
  for (const copy of copies) {
    const found = await readWorlds(copy.path);
    for (const world of worldNames) {
      const { now } = JSON.parse(found[world] ?? '').state;
      expect(now).toBeGreaterThanOrEqual(copy.acknowledged);
      expect(found[world]).toBe(JSON.stringify(stateAfter(now, world)));
    }
  }
});

/** The world that is written last takes less than a step of the compaction. */
const beginnings = { 'test-large': replaceBy(3_000).state, 'test-small': replaceBy(2).state };
type WorldName = keyof typeof beginnings;
const worldNames = Object.keys(beginnings) as WorldName[];

/** The change of that number: a stream of its own, and one that every other change has too. */
function changeOf(made: number): Change {
  const streams = [stream(5_000 + made), stream(made % 2, `changed by ${made}`)];
  return { at: made, now: made, streams };
}

function stateAfter(made: number, world: WorldName): Replacement {
  const changes = Array.from({ length: made }, (_, index) => changeOf(index + 1));
  return apply([{ at: 0, state: { ...beginnings[world], now: 0 } }, ...changes]);
}

interface Copy {
  readonly path: string;
  readonly hasDraft: boolean;
}

/** Copies a file and the draft beside it, as a power cut would leave them. */
async function copyFiles(path: string): Promise<Copy> {
  const copy = await newPath();
  await copyFile(path, copy);
  const hasDraft = await copyFile(
    `${path}.livestream-mock.tmp`,
    `${copy}.livestream-mock.tmp`,
  ).then(
    () => true,
    () => false,
  );
  return { path: copy, hasDraft };
}
