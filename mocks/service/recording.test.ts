import { expect, test } from 'vitest';
import { exportState, importState, startWorld } from './commands.ts';
import { isUnsettled } from './recording.ts';
import { startSession, stopSession } from './sessions.ts';
import { createStream, deleteStream } from './streams.ts';
import { emptySettings } from './world.test-support.ts';
import { setClock } from './world.ts';

function newStream({ record }: { record: boolean }) {
  const world = startWorld(emptySettings(), 'test-recording');
  return { world, id: createStream(world, { name: 'Harbour camera', record }).id };
}

test('time alone changes a world while a session is live and while its recording is made', () => {
  const { world, id } = newStream({ record: true });
  expect(isUnsettled(world)).toBe(false);
  startSession(world, '', id);
  expect(isUnsettled(world)).toBe(true);
  stopSession(world, '', id);
  setClock(world, { advance: 999 });
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: 1 });
  expect(isUnsettled(world)).toBe(false);
});

test('a world whose session is not recorded, or deleted, is settled', () => {
  const { world, id } = newStream({ record: false });
  startSession(world, '', id);
  stopSession(world, '', id);
  expect(isUnsettled(world)).toBe(false);
  startSession(world, '', id);
  deleteStream(world, id);
  expect(isUnsettled(world)).toBe(false);
});

test.each(['failed', 'waiting'] as const)(
  'a world whose recording stays %s is settled',
  (recordingStatus) => {
    const { world, id } = newStream({ record: true });
    startSession(world, '', id, { duration: 4 });
    const state = exportState(world);
    const sessions = state.sessions.map((session) => ({ ...session, recordingStatus }));
    importState(world, { ...state, sessions });
    expect(isUnsettled(world)).toBe(false);
  },
);
