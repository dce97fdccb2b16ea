import { expect, test } from 'vitest';
import { startWorld } from './commands.ts';
import { isUnsettled } from './recording.ts';
import { startSession, stopSession } from './sessions.ts';
import { createStream } from './streams.ts';
import { emptySettings } from './world.test-support.ts';
import { setClock } from './world.ts';

test('time alone changes a world while a session is live and while its recording is made', () => {
  const world = startWorld(emptySettings(), 'test-recording');
  const { id } = createStream(world, { name: 'Harbour camera', record: true });
  expect(isUnsettled(world)).toBe(false);
  startSession(world, '', id);
  expect(isUnsettled(world)).toBe(true);
  stopSession(world, '', id);
  setClock(world, { advance: 999 });
  expect(isUnsettled(world)).toBe(true);
  setClock(world, { advance: 1 });
  expect(isUnsettled(world)).toBe(false);
});
