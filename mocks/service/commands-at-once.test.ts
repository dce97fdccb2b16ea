import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import type { World } from './world-handle.ts';

type Call = (world: World) => Promise<unknown>;

const elsewhere = await createMock({ world: 'demo', seed: 'elsewhere' }).world();
const imported = elsewhere.exportState();

/** The demo world's stream that has no session, and the one that is live. */
function idsOf(world: World): { calm: string; live: string } {
  const { streams, sessions } = world.exportState();
  const calm = streams.find(({ id }) => sessions.every(({ parentId }) => parentId !== id));
  const live = sessions.find(({ endedAt }) => endedAt === undefined);
  return { calm: calm?.id ?? 'none', live: live?.parentId ?? 'none' };
}

const openDemo = (): Promise<World> => createMock({ world: 'demo' }).world();
const demo = idsOf(await openDemo());

const calls: readonly Call[] = [
  (world) => world.createStream({ name: 'new', record: true }),
  (world) => world.setRecord(demo.calm, true),
  (world) => world.start(demo.calm),
  (world) => world.start(demo.calm, { duration: 5 }),
  (world) => world.stop(demo.calm),
  (world) => world.stop(demo.live),
  (world) => world.reset(),
  (world) => world.stop(demo.live),
  (world) => world.importState(imported),
  (world) => world.deleteStream(demo.calm),
];

const refusals = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'rejected' ? String(result.reason) : ''));

test.each([
  ['in order', calls],
  ['in reverse', calls.toReversed()],
])('calls in one tick come out as one after the other: %s', async (_, inOrder) => {
  const together = await openDemo();
  const apart = await openDemo();
  const results = await Promise.allSettled(inOrder.map((call) => call(together)));
  const expected: PromiseSettledResult<unknown>[] = [];
  for (const call of inOrder) expected.push(...(await Promise.allSettled([call(apart)])));
  expect(refusals(results)).toEqual(refusals(expected));
  expect(together.exportState()).toEqual(apart.exportState());
});
