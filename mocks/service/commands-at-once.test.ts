import { expect, test } from 'vitest';
import { stateText, testKey, testRequest } from '../http/request.test-support.ts';
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

const demo = idsOf(await createMock({ world: 'demo' }).world());

const calls: Record<string, Call> = {
  create: (world) => world.createStream({ name: 'new', record: true }),
  'record on': (world) => world.setRecord(demo.calm, true),
  start: (world) => world.start(demo.calm),
  'start and end': (world) => world.start(demo.calm, { duration: 5 }),
  stop: (world) => world.stop(demo.calm),
  'stop the live one': (world) => world.stop(demo.live),
  delete: (world) => world.deleteStream(demo.calm),
  reset: (world) => world.reset(),
  import: (world) => world.importState(imported),
};

const pairs = Object.keys(calls).flatMap((first) =>
  Object.keys(calls).map((second) => [first, second] as const),
);

function namedCall(name: string): Call {
  const call = calls[name];
  if (call === undefined) throw new Error(`there is no call ${name}`);
  return call;
}

function openDemo(): Promise<World> {
  return createMock({ world: 'demo' }).world();
}

/** What the calls returned or were refused with, and what they left. */
async function outcomeOf(
  world: World,
  results: readonly PromiseSettledResult<unknown>[],
): Promise<unknown> {
  const answers = results.map((result) =>
    result.status === 'fulfilled' ? { returned: result.value } : { refused: String(result.reason) },
  );
  return { answers, state: world.exportState() };
}

test.each(pairs)('"%s" and "%s" in one tick come out as one after the other', async (...names) => {
  const [first, second] = names.map(namedCall) as [Call, Call];
  const overlapping = await openDemo();
  const inOrder = await openDemo();
  const together = await Promise.allSettled([first(overlapping), second(overlapping)]);
  const apart = [
    ...(await Promise.allSettled([first(inOrder)])),
    ...(await Promise.allSettled([second(inOrder)])),
  ];
  expect(await outcomeOf(overlapping, together)).toEqual(await outcomeOf(inOrder, apart));
});

test('a session that begins just before recording is switched on is not recorded', async () => {
  const world = await openDemo();
  const [begun, switched] = await Promise.allSettled([
    world.start(demo.calm),
    world.setRecord(demo.calm, true),
  ]);
  expect(begun).toMatchObject({ status: 'fulfilled', value: { record: false } });
  expect(switched.status).toBe('rejected');
});

test.each([
  ['reset', 'POST /_mock/reset', ''],
  ['import', 'PUT /_mock/state', stateText(imported)],
])(
  'a stream that is created beside a %s over HTTP comes after it, or is gone with what was',
  async (_, line, body) => {
    const change = () => testRequest(line, body === '' ? {} : { body });
    const { fetch, world } = createMock({ world: 'demo' });
    const [changed, created] = await Promise.all([
      fetch(change()),
      fetch(testRequest('POST /api/stream', { body: '{"name":"a"}' })),
    ]);
    expect([changed.status, created.status]).toEqual([204, 201]);
    const { id } = (await created.json()) as { id: string };
    const alone = createMock({ world: 'demo' });
    await alone.fetch(change());
    const without = (await alone.world(testKey)).streams().map((stream) => stream.id);
    const found = (await world(testKey)).streams().map((stream) => stream.id);
    expect([without, [id, ...without]]).toContainEqual(found);
  },
);
