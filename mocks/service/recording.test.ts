import { expect, test } from 'vitest';
import { usualBehaviour } from '../../interface/dialect.ts';
import type { StreamRecord } from '../../interface/types.ts';
import { createMatchCounts } from '../faults/faults.ts';
import { createJournalRoom } from '../journal/journal.ts';
import { exportState, importState, startWorld } from './commands.ts';
import { isUnsettled } from './recording.ts';
import { startSession, stopSession } from './sessions.ts';
import { createStreams, deleteStream } from './streams.ts';
import { setClock, testerOf, type WorldSettings } from './world.ts';

/** Settings of an empty world, whose time stands still. */
const settings: WorldSettings = {
  world: 'empty',
  streams: 1,
  seed: 'a test',
  dialect: undefined,
  behaviour: usualBehaviour,
  recordingDelay: 1000,
  time: { now: () => 1e12 },
  faults: [],
  matchCounts: createMatchCounts([]),
  unable: {},
  journalRoom: createJournalRoom(),
  apiKeys: undefined,
  ingest: {},
  recordCount: { counts: new Set(), maxRecords: 10 },
};

test('time alone changes a world while a session is live and while its recording is made', () => {
  const world = startWorld(settings, 'test-recording');
  const [{ id }] = createStreams(testerOf(world), [{ name: 'Harbour camera', record: true }]) as [
    StreamRecord,
  ];
  expect(isUnsettled(world)).toBe(false);
  startSession(testerOf(world), id);
  expect(isUnsettled(world)).toBe(true);
  stopSession(testerOf(world), id);
  setClock(world, { advance: 999 });
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: 1 });
  expect(isUnsettled(world)).toBe(false);
});

test('a world whose session is not recorded, or deleted, is settled', () => {
  const world = startWorld(settings, 'test-recording');
  const [{ id }] = createStreams(testerOf(world), [{ name: 'Harbour camera' }]) as [StreamRecord];
  startSession(testerOf(world), id);
  stopSession(testerOf(world), id);
  expect(isUnsettled(world)).toBe(false);
  startSession(testerOf(world), id);
  deleteStream(testerOf(world), id);
  expect(isUnsettled(world)).toBe(false);
});

test.each(['failed', 'waiting'] as const)(
  'a world whose recording stays %s is settled',
  (recordingStatus) => {
    const world = startWorld(settings, 'test-recording');
    const [{ id }] = createStreams(testerOf(world), [{ name: 'Harbour camera', record: true }]) as [
      StreamRecord,
    ];
    startSession(testerOf(world), id, { duration: 4 });
    const state = exportState(world);
    const sessions = state.sessions.map((session) => ({ ...session, recordingStatus }));
    importState(world, { ...state, sessions });
    expect(isUnsettled(world)).toBe(false);
  },
);
