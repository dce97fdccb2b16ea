import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { temporaryFolder } from '../../tools/temporary.test-support.ts';
import type { Change } from '../state/change.ts';
import { changedWorlds, during, readWorlds } from './file.test-support.ts';
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
  const folder = temporaryFolder();
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
    { numRuns: byNight(300, 60) },
  );
});
