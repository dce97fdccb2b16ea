import { expect, test } from 'vitest';
import { defaultDialect } from '../../interface/dialect/resolve.ts';
import { createMatchCounts } from '../faults/faults.ts';
import { createJournalRoom } from '../journal/journal.ts';
import { findParent, refuseAlways } from '../state/find.ts';
import { isUnsettled } from './playback.ts';
import { startSession, stopSession } from './sessions.ts';
import { createStreams, deleteStreams } from './streams.ts';
import { setClock } from './testers/controls.ts';
import { exportState, importState, startWorld } from './whole-world.ts';
import { testerOf, type WorldSettings } from './world.ts';

/** The settings of an empty world whose time stands still. */
const settings: WorldSettings = {
  world: 'empty',
  streams: 1,
  seed: 'a test',
  idForms: { stream: 'uuid', session: 'uuid' },
  dialectFile: undefined,
  dialect: defaultDialect,
  recordingDelay: 1000,
  time: { now: () => 1e12 },
  faults: [],
  matchCounts: createMatchCounts([]),
  unable: {},
  journalRoom: createJournalRoom(),
  apiKeys: undefined,
  ingest: {},
  idle: undefined,
  operator: {},
  recordCount: { counts: new Set(), maxRecords: 10 },
};

/** An empty world with a new stream. */
function worldWithStream(record: boolean) {
  const world = startWorld(settings, 'test-recording');
  const tester = testerOf(world);
  const read = { fields: { name: 'Harbour camera', record }, shown: {}, hidden: [] };
  const [stream] = createStreams(tester, [read]);
  return { world, tester, id: stream?.id ?? '' };
}

test('time alone changes a world while a session is live, and until its recording is ready', () => {
  const { world, tester, id } = worldWithStream(true);
  expect(isUnsettled(world)).toBe(false);
  startSession(tester, id);
  expect(isUnsettled(world)).toBe(true);
  stopSession(tester, id);
  setClock(world, { advance: 999 });
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: 1 });
  expect(isUnsettled(world)).toBe(false);
});

test('time alone does not change a world whose session is not recorded, or is deleted', () => {
  const { world, tester, id } = worldWithStream(false);
  startSession(tester, id);
  stopSession(tester, id);
  expect(isUnsettled(world)).toBe(false);
  startSession(tester, id);
  deleteStreams(tester, [findParent(world.state.records, id, refuseAlways)]);
  expect(isUnsettled(world)).toBe(false);
});

test.each(['failed', 'waiting'] as const)(
  'a world whose recording stays %s is settled',
  (recordingStatus) => {
    const { world, tester, id } = worldWithStream(true);
    startSession(tester, id, { duration: 4 });
    const state = exportState(world);
    const sessions = state.sessions.map((session) => ({ ...session, recordingStatus }));
    importState(world, { ...state, sessions });
    expect(isUnsettled(world)).toBe(false);
  },
);
