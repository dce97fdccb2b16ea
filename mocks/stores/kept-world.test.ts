import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { temporaryFolder } from '../../tools/temporary.test-support.ts';
import { createMock } from '../mock.ts';
import type { World } from '../service/testers/world-handle.ts';
import { during } from './file.test-support.ts';

/** Something to do to a world, with the id of one of its streams and a number. */
const actions: readonly ((world: World, id: string, number: number) => unknown)[] = [
  (world, _, number) => world.createStream({ name: `${number}`, record: number % 2 === 0 }),
  (world, id, number) => world.setRecord(id, number % 2 === 0),
  (world, id) => world.start(id),
  (world, id, number) => world.start(id, { duration: number + 1 }),
  (world, id) => world.stop(id),
  (world, id) => world.deleteStream(id),
  (world, _, number) => world.clock.advance(number * 1_700),
  (world) => world.saveSnapshot('a'),
  (world) => world.restoreSnapshot('a'),
  (world) => world.reset(),
  (world) => world.importState(world.exportState()),
];

type Action = (world: World) => Promise<unknown>;

const anyAction: fc.Arbitrary<Action> = fc
  .tuple(fc.constantFrom(...actions), fc.nat({ max: 59 }))
  .map(([act, number]) => async (world) => {
    const streams = world.streams();
    const id = streams[number % Math.max(1, streams.length)]?.id ?? 'unknown';
    return act(world, id, number);
  });

const anyGroups = fc.array(fc.array(anyAction, { maxLength: 5 }), { maxLength: 6 });

const exported = (world: World): string => JSON.stringify(world.exportState());

test('whatever is done to a world, its file and its memory give the same bytes', async () => {
  const folder = temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyGroups, async (groups) => {
      const path = join(folder, `${run++}`);
      const inMemory = await createMock({ world: 'demo' }).world();
      await during(path, async (store) => {
        const inFile = await createMock({ world: 'demo', store }).world();
        // Awaiting the last one awaits all before it, too.
        for (const group of [...groups, [(world: World) => world.createStream({ name: 'last' })]]) {
          // All of them in one tick, like requests that come at once. A refusal changes nothing.
          for (const world of [inMemory, inFile])
            await Promise.allSettled(group.map(async (action) => action(world)));
          expect(exported(inFile)).toBe(exported(inMemory));
        }
      });
      const reopened = await during(path, (store) => createMock({ world: 'demo', store }).world());
      expect(exported(reopened)).toBe(exported(inMemory));
    }),
    { numRuns: byNight(150, 30) },
  );
});
