import { describe, expect, test } from 'vitest';
import { testRequest } from './http/request.test-support.ts';
import { createJournalRoom } from './journal/journal.ts';
import { createMock } from './mock.ts';
import { roomLimits } from './room.ts';
import { createStream, deleteStream, startSession } from './service.ts';
import { deleteSnapshot, saveSnapshot } from './snapshot.ts';
import type { Store } from './stores/store.ts';
import { createWorld, discardWorld, type WorldSettings } from './world.ts';

/** A store in which worlds of these names are said to be, and which keeps nothing. */
function memoryStore(names: readonly string[]): Store {
  return { load: async () => undefined, save: async () => {}, names: async () => names };
}

test('a mock takes 1,000 API keys, and says so at the next', async () => {
  const mock = createMock();
  const ask = (key: string) =>
    mock.fetch(testRequest('GET /api/stream', { authorization: `Bearer ${key}` }));
  for (let count = 0; count < roomLimits.worlds - 2; count++) await ask(`test-${count}`);
  expect((await ask('test-last')).status).toBe(200);
  const refused = await ask('test-another');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    errors: [
      'worlds: expected at most 1000 in one mock, got another API key; use fewer keys, or a mock of its own for each run',
    ],
  });
  expect((await ask('test-0')).status).toBe(200);
  expect((await ask(mock.apiKey)).status).toBe(200);
});

test('where all 1,000 keys are taken, media is found and a request without a key is told so', async () => {
  const mock = createMock({ store: memoryStore(['test-kept']) });
  const world = await mock.world('test-0');
  const { id } = await world.createStream({ name: 'Harbour camera', record: true });
  await world.start(id, { duration: 4 });
  world.clock.advance('1h');
  const [mp4URL = ''] = world.sessions().flatMap((session) => session.mp4URL ?? []);
  for (let count = 1; count < roomLimits.worlds - 1; count++) await mock.world(`test-${count}`);
  expect((await mock.fetch(new Request(mp4URL))).status).toBe(200);
  const unknown = new Request('http://livestream.test/recordings/nobody/source.mp4');
  expect((await mock.fetch(unknown)).status).toBe(404);
  const asked = await mock.fetch(testRequest('GET /api/stream', { authorization: null }));
  expect(asked.status).toBe(401);
});

test('where the own world of a mock cannot be opened, an answer is given all the same', async () => {
  const load = () => Promise.reject(new Error('disk busy'));
  const { fetch } = createMock({ store: { ...memoryStore([]), load } });
  const asked = await fetch(testRequest('GET /api/stream', { authorization: null }));
  expect(asked.status).toBe(401);
});

describe('a mock that is full of streams and sessions', () => {
  const settings: WorldSettings = {
    world: 'empty',
    streams: 1,
    seed: 'room',
    recordingDelay: 0,
    time: { now: () => 0 },
    faults: [],
    unable: {},
    journalRoom: createJournalRoom(),
    secrets: [],
    room: { records: roomLimits.records - 2 },
  };

  test('takes no more, in whichever world, until some are gone', async () => {
    const [one, other] = [await createWorld(settings, 'one'), await createWorld(settings, 'other')];
    const { id } = await createStream(one, { name: 'last but one' });
    await startSession(one, id, 1);
    for (const added of [
      createStream(other, { name: 'too many' }),
      startSession(one, id, 1),
      createWorld(settings, 'third'),
    ]) {
      await expect(added).rejects.toMatchObject({
        status: 429,
        message:
          'records: expected at most 400000 in one mock, got another stream or session; delete some, or reset a world',
      });
    }
    expect(() => saveSnapshot(one, 'copy')).toThrow('records: expected at most 400000');
    await deleteStream(one, id);
    await createStream(other, { name: 'fits again' });
    saveSnapshot(other, 'copy');
    await expect(createStream(other, { name: 'too many' })).rejects.toThrow('records: expected');
    deleteSnapshot(other, 'copy');
    await createStream(other, { name: 'fits again' });
  });

  test('has room again for what a world that was discarded held', async () => {
    const room = { records: roomLimits.records - 1 };
    const journalRoom = createJournalRoom();
    const world = await createWorld({ ...settings, room, journalRoom }, 'one');
    await createStream(world, { name: 'the last' });
    discardWorld(world);
    expect(room.records).toBe(roomLimits.records - 1);
    expect(journalRoom.journals.size).toBe(0);
  });
});
