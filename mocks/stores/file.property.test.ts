import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../state/change.ts';
import { changedWorlds, during, newFolder, newPath, readWorlds } from './file.test-support.ts';
import { replaceBy, session, stream, update } from './sample-changes.ts';

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

test('whatever moment of a compaction is the last, all that was acknowledged is there', async () => {
  const path = await newPath();
  const { state } = replaceBy(3_000);
  const copies: (Copy & { readonly acknowledged: number })[] = [];
  await during(path, async (store) => {
    let now = 0;
    const whole = () => ({ at: now, state: { ...state, now } });
    const change = async (...changes: Change[]): Promise<void> => {
      await store.append('test-a', changes, whole);
      now += 1;
    };
    await change(whole());
    await change(whole());
    const { ino } = await stat(path);
    const isCompacted = async (): Promise<boolean> => (await stat(path)).ino !== ino;
    const changeOn = async (): Promise<void> => {
      while (!(await isCompacted())) await change(update({ now: now + 1 }));
    };
    const copyOn = async (): Promise<void> => {
      while (!(await isCompacted())) {
        const acknowledged = now;
        copies.push({ ...(await copyFiles(path)), acknowledged });
      }
    };
    await Promise.all([changeOn(), copyOn()]);
    copies.push({ ...(await copyFiles(path)), acknowledged: now });
  });
  expect(copies.filter(({ hasDraft }) => hasDraft)).not.toEqual([]);
  for (const copy of copies) {
    const world = JSON.parse((await readWorlds(copy.path))['test-a'] ?? '').state;
    expect(world.now).toBeGreaterThanOrEqual(copy.acknowledged);
    expect(world.streams).toHaveLength(3_000);
  }
});

interface Copy {
  readonly path: string;
  readonly hasDraft: boolean;
}

/** Copies a file and the draft beside it, as a power cut would leave them. */
async function copyFiles(path: string): Promise<Copy> {
  const copy = await newPath();
  await copyFile(path, copy);
  const hasDraft = await copyFile(`${path}.tmp`, `${copy}.tmp`).then(
    () => true,
    () => false,
  );
  return { path: copy, hasDraft };
}
