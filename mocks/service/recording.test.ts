import { expect, test } from 'vitest';
import type { SessionRecord } from '../../fixtures/types.ts';
import { createFaultTally } from '../faults/tally.ts';
import { createJournalRoom } from '../journal/journal.ts';
import { isUnsettled } from './recording.ts';
import { importWorld, takeSnapshot } from './snapshot.ts';
import { createStream, deleteStream, startSession, stopSession } from './transitions.ts';
import { createWorld, type WorldState } from './world.ts';

async function newWorld(): Promise<WorldState> {
  return createWorld(
    {
      world: 'empty',
      streams: 1,
      seed: 'recording',
      recordingDelay: 1000,
      time: { now: () => 1e12 },
      faults: [],
      tally: createFaultTally([]),
      unable: {},
      journalRoom: createJournalRoom(),
      secrets: [],
      room: { records: 0 },
    },
    'test-recording',
  );
}

test('time alone changes a world while a session is live and while its recording is made', async () => {
  const world = await newWorld();
  const { id } = await createStream(world, { name: 'Harbour camera', record: true });
  expect(isUnsettled(world)).toBe(false);
  await startSession(world, id);
  expect(isUnsettled(world)).toBe(true);
  world.clock.advance('1h');
  await stopSession(world, id);
  expect(isUnsettled(world)).toBe(true);
  world.clock.advance(999);
  expect(isUnsettled(world)).toBe(true);
  world.clock.advance(1);
  expect(isUnsettled(world)).toBe(false);
});

test('a world whose sessions are not recorded is settled once they have ended', async () => {
  const world = await newWorld();
  const { id } = await createStream(world, { name: 'Harbour camera', record: false });
  await startSession(world, id);
  expect(isUnsettled(world)).toBe(true);
  await stopSession(world, id);
  expect(isUnsettled(world)).toBe(false);
});

test.each(['failed', 'waiting'] as const)(
  'a world whose recording stays %s is settled',
  async (recordingStatus) => {
    const world = await newWorld();
    const { id } = await createStream(world, { name: 'Harbour camera', record: true });
    await startSession(world, id, 4);
    const state = takeSnapshot(world);
    const sessions = state.sessions.map(
      (session): SessionRecord => ({ ...session, recordingStatus }),
    );
    await importWorld(world, { ...state, sessions });
    expect(isUnsettled(world)).toBe(false);
  },
);

test('what is deleted changes a world no more, and leaves the others to do so', async () => {
  const world = await newWorld();
  const [early, late, live] = [
    await createStream(world, { name: 'early', record: true }),
    await createStream(world, { name: 'late', record: true }),
    await createStream(world, { name: 'live', record: true }),
  ];
  await startSession(world, early.id, 4);
  world.clock.advance(500);
  await startSession(world, late.id, 4);
  await startSession(world, live.id);
  await deleteStream(world, live.id);
  await deleteStream(world, late.id);
  expect(isUnsettled(world)).toBe(true);
  world.clock.advance(500);
  expect(isUnsettled(world)).toBe(false);
});

test('whether a world is settled is known without a look at its sessions', async () => {
  const world = await newWorld();
  const { id } = await createStream(world, { name: 'Harbour camera', record: true });
  await startSession(world, id, 4);
  const sessions = () => {
    throw new Error('looked at');
  };
  world.collections = { ...world.collections, sessions, sessionsOf: sessions };
  expect(isUnsettled(world)).toBe(true);
});
