import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import type { ExportedState } from './exported-state.ts';
import type { World } from './testers/world-handle.ts';

async function demo(): Promise<{ world: World; state: ExportedState }> {
  const world = await createMock({ world: 'demo' }).world();
  return { world, state: world.exportState() };
}

const { state: valid } = await demo();
const live = valid.sessions.filter(({ endedAt }) => endedAt === undefined);

const secondLive = live.map((session) => ({
  ...session,
  id: '00000000-0000-4000-8000-000000000000',
}));

test.each<[message: RegExp, part: Partial<ExportedState>]>([
  [
    /^session .*: expected endedAt and duration, or neither, got one of them$/,
    { sessions: valid.sessions.map(({ duration: _, ...session }) => session) },
  ],
  [/^session .*: expected the parentId of a stream in streams, got /, { streams: [] }],
  [
    /^body: expected every id once, got ".*" twice$/,
    { streams: [...valid.streams, ...valid.streams] },
  ],
  [
    /^body: expected every parentId of live sessions once, got ".*" twice$/,
    { sessions: [...valid.sessions, ...secondLive] },
  ],
  [
    /^body: expected every playbackId once, got "0000aaaaaaaaaaaa" twice$/,
    { streams: valid.streams.map((stream) => ({ ...stream, playbackId: '0000aaaaaaaaaaaa' })) },
  ],
])('a state that contradicts itself changes nothing: %s', async (message, part) => {
  const { world, state } = await demo();
  await expect(world.importState({ ...state, ...part })).rejects.toThrow(message);
  expect(world.exportState()).toEqual(state);
});

test('an import lists records in the order of their export, even if the clock was set back', async () => {
  const { world } = await demo();
  world.clock.set(0);
  await world.createStream({ name: 'added last' });
  const exported = world.exportState();
  await world.importState(exported);
  expect(world.exportState()).toEqual(exported);
});

describe('a dialect', () => {
  const acme: Dialect = {
    dialect: 3,
    name: 'Acme',
    errors: { createStream: { key: { none: { status: 403, body: { type: 'text/plain' } } } } },
    behaviours: { 'list.next': { listStreams: 'x-next-cursor' } },
  };
  async function stateOf(dialect?: Dialect): Promise<ExportedState> {
    const world = await createMock({ ...(dialect && { dialect }) }).world();
    return world.exportState({ journal: true });
  }

  test('is in the state, and a mock with an equal one can import that', async () => {
    const state = await stateOf(acme);
    expect(state.dialect).toEqual(acme);
    const errors = {
      createStream: { key: { none: { body: { type: 'text/plain' }, status: 403 } } },
      listStreams: { key: { none: 401 } },
    } as const;
    const own: Dialect = { ...acme, name: 'Renamed', errors };
    const world = await createMock({ dialect: own }).world();
    await expect(world.importState(state)).resolves.toBeUndefined();
  });

  test.each([
    {
      exported: acme,
      own: undefined,
      message:
        'dialect: expected none, as this mock has none, got Acme, which differs in errors.createStream.key:none; start the mock with the dialect in the state',
    },
    {
      exported: undefined,
      own: acme,
      message: 'dialect: expected the dialect Acme, got none; start the mock without a dialect',
    },
  ])('that differs is refused: $message', async ({ exported, own, message }) => {
    const state = await stateOf(exported);
    const world = await createMock({ ...(own && { dialect: own }) }).world();
    await expect(world.importState(state)).rejects.toThrow(message);
  });
});

describe('a mock that starts from an exported world', () => {
  async function arrange(options: MockOptions = {}): Promise<World> {
    const world = await createMock(options).world();
    await world.createStream({ name: 'Harbour camera' });
    world.clock.set('2027-01-15T12:00:00Z');
    return world;
  }

  test('has its streams and clock in every world, and again after a reset', async () => {
    const mock = createMock({ world: (await arrange()).exportState() });
    for (const world of [await mock.world(), await mock.world('test-other')]) {
      const start = world.exportState();
      expect(start).toMatchObject({
        now: Date.UTC(2027, 0, 15, 12),
        streams: [{ name: 'Harbour camera' }],
      });
      await world.createStream({ name: 'passing' });
      world.clock.advance('1h');
      await world.reset();
      expect(world.exportState()).toEqual(start);
    }
  });

  test('has the journal, faults and dialect of a report', async () => {
    const dialect = { dialect: 3, behaviours: { 'time.ready': 0 } } as const;
    const arranged = await arrange({ dialect });
    arranged.addFault({ effect: 'reset' });
    const report = arranged.exportState({ journal: true });
    const mock = createMock({ world: report });
    const world = await mock.world();
    expect([mock.dialect, world.faults.length]).toEqual([dialect, 1]);
    await world.reset();
    expect(world.faults).toMatchObject([{ fault: { effect: 'reset' } }]);
    const given = createMock({ world: report, faults: [{ effect: 'malformed' }] });
    expect((await given.world()).faults).toMatchObject([{ fault: { effect: 'malformed' } }]);
  });
});
