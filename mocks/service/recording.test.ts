import { expect, test } from 'vitest';
import type { SessionRecord } from '../../interface/types.ts';
import { exportState, importState, startWorld } from './commands.ts';
import { isUnsettled } from './recording.ts';
import { startSession, stopSession } from './sessions.ts';
import { createStream, deleteStream } from './streams.ts';
import { emptySettings } from './world.test-support.ts';
import { setClock, type WorldState } from './world.ts';

const newWorld = (): WorldState => startWorld(emptySettings(), 'test-recording');

test('time alone changes a world while a session is live and while its recording is made', () => {
  const world = newWorld();
  const { id } = createStream(world, { name: 'Harbour camera', record: true });
  expect(isUnsettled(world)).toBe(false);
  startSession(world, id);
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: '1h' });
  stopSession(world, id);
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: 999 });
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: 1 });
  expect(isUnsettled(world)).toBe(false);
});

test.each(['failed', 'waiting'] as const)(
  'a world whose recording stays %s is settled',
  (recordingStatus) => {
    const world = newWorld();
    const { id } = createStream(world, { name: 'Harbour camera', record: true });
    startSession(world, id, 4);
    const state = exportState(world);
    const sessions = state.sessions.map(
      (session): SessionRecord => ({ ...session, recordingStatus }),
    );
    importState(world, { ...state, sessions });
    expect(isUnsettled(world)).toBe(false);
  },
);

test('what is deleted changes a world no more, and leaves the others to do so', () => {
  const world = newWorld();
  const early = createStream(world, { name: 'early', record: true });
  const late = createStream(world, { name: 'late', record: true });
  const live = createStream(world, { name: 'live', record: true });
  startSession(world, early.id, 4);
  setClock(world, { advance: 500 });
  startSession(world, late.id, 4);
  startSession(world, live.id);
  deleteStream(world, live.id);
  deleteStream(world, late.id);
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: 500 });
  expect(isUnsettled(world)).toBe(false);
});
