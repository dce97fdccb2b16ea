import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect.ts';
import type { SessionRecord } from '../../interface/types.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import type { Snapshot } from './snapshot.ts';
import type { World } from './world-handle.ts';

async function demo(): Promise<{ world: World; state: Snapshot }> {
  const world = await createMock({ world: 'demo' }).world();
  return { world, state: world.exportState() };
}

function withSession(state: Snapshot, change: (session: SessionRecord) => object): Snapshot {
  const [first, ...rest] = state.sessions;
  if (first === undefined) throw new Error('the demo world has sessions');
  return { ...state, sessions: [{ ...first, ...change(first) }, ...rest] };
}

test('a session that has ended without a duration is refused', async () => {
  const { world, state } = await demo();
  const sessions = state.sessions.map(({ duration, ...session }) => session);
  await expect(world.importState({ ...state, sessions })).rejects.toThrow(
    'sessions[0]: expected endedAt and duration, or neither, got one of them',
  );
});

test('a stream with two live sessions is refused', async () => {
  const { world, state } = await demo();
  const live = state.sessions.filter(({ endedAt }) => endedAt === undefined);
  const twins = live.map((session) => ({ ...session, id: '00000000-0000-4000-8000-000000000000' }));
  const sessions = [...state.sessions, ...twins];
  await expect(world.importState({ ...state, sessions })).rejects.toThrow(
    /^body: expected every parentId of live sessions once, got ".*" twice$/,
  );
});

test('two streams with one playback id are refused', async () => {
  const { world, state } = await demo();
  const streams = state.streams.map((stream) => ({ ...stream, playbackId: '0000aaaaaaaaaaaa' }));
  await expect(world.importState({ ...state, streams })).rejects.toThrow(
    'body: expected every playbackId once, got "0000aaaaaaaaaaaa" twice',
  );
});

test('records in any order are listed newest first', async () => {
  const { world, state } = await demo();
  const before = world.sessions();
  await world.importState({ ...state, sessions: state.sessions.toReversed() });
  expect(world.sessions()).toEqual(before);
});

test('a recording that has failed can be imported', async () => {
  const { world, state } = await demo();
  await world.importState(withSession(state, () => ({ recordingStatus: 'failed' })));
  const failed = world.sessions().filter(({ recordingStatus }) => recordingStatus === 'failed');
  expect(failed).toHaveLength(1);
  expect(failed[0]).not.toHaveProperty('recordingUrl');
});

describe('a dialect', () => {
  const acme: Dialect = {
    dialect: 2,
    name: 'Acme',
    refusals: { createStream: { 'key:none': { status: 403, body: { type: 'text/plain' } } } },
    behaviours: { 'list.next': 'x-next-cursor' },
  };
  const other: Dialect = {
    ...acme,
    name: 'Other',
    refusals: {},
    behaviours: { 'list.next': 'not' },
  };

  async function stateOf(dialect?: Dialect): Promise<Snapshot> {
    const world = await createMock({ ...(dialect && { dialect }) }).world();
    return world.exportState({ journal: true });
  }

  test('is in the state, which a mock with an equal one imports', async () => {
    const state = await stateOf(acme);
    expect(state.dialect).toEqual(acme);
    const refusals = {
      createStream: { 'key:none': { body: { type: 'text/plain' }, status: 403 } },
      listStreams: { 'key:none': 401 },
    } as const;
    const own: Dialect = { ...acme, name: 'Renamed', refusals };
    const world = await createMock({ dialect: own }).world();
    await expect(world.importState(state)).resolves.toBeUndefined();
  });

  test('is not in the state of a mock without one, which such a mock imports', async () => {
    const state = await stateOf();
    expect(state).not.toHaveProperty('dialect');
    const world = await createMock().world();
    await expect(world.importState(state)).resolves.toBeUndefined();
  });

  test.each([
    {
      exported: acme,
      own: undefined,
      message:
        'dialect: expected none, as this mock has none, got Acme, which differs in refusals.createStream.key:none and 1 more; start the mock with the dialect in the state, or remove it from there',
    },
    {
      exported: undefined,
      own: acme,
      message: 'dialect: expected the dialect Acme, got none; start the mock without a dialect',
    },
    {
      exported: acme,
      own: other,
      message:
        'dialect: expected the dialect Other, got Acme, which differs in refusals.createStream.key:none and 1 more; start the mock with the dialect in the state',
    },
    {
      exported: acme,
      own: { ...acme, usual: 'empty' } as Dialect,
      message:
        'dialect: expected the dialect Acme, got Acme, which differs in usual; start the mock with the dialect in the state',
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
    const dialect = { dialect: 2, behaviours: { 'time.ready': 0 } } as const;
    const arranged = await arrange({ dialect });
    arranged.addFault({ effect: 'reset' });
    const mock = createMock({ world: arranged.exportState({ journal: true }) });
    const world = await mock.world();
    expect([mock.dialect, world.faults.length]).toEqual([dialect, 1]);
    await world.reset();
    expect(world.faults).toMatchObject([{ fault: { effect: 'reset' } }]);
  });

  test('has the faults that are given in place of those of a report', async () => {
    const arranged = await arrange();
    arranged.addFault({ effect: 'reset' });
    const state = arranged.exportState({ journal: true });
    const world = await createMock({ world: state, faults: [{ effect: 'malformed' }] }).world();
    expect(world.faults).toMatchObject([{ fault: { effect: 'malformed' } }]);
  });
});
