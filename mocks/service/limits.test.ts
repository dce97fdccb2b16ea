import { describe, expect, test } from 'vitest';
import { createFaultTally } from '../faults/tally.ts';
import { testRequest } from '../http/request.test-support.ts';
import { createJournalRoom } from '../journal/journal.ts';
import { createMock } from '../mock.ts';
import { roomLimits } from '../state/limits.ts';
import type { Store } from '../stores/store.ts';
import { deleteSnapshot, saveSnapshot } from './snapshot.ts';
import { createStream, deleteStream, startSession } from './transitions.ts';
import { createWorld, discardWorld, type WorldSettings } from './world.ts';

/** A store in which worlds of these names are said to be, and which keeps nothing. */
function memoryStore(names: readonly string[]): Store {
  return { load: async () => undefined, save: async () => {}, names: async () => names };
}

const full: WorldSettings = {
  world: 'empty',
  streams: 1,
  seed: 'room',
  recordingDelay: 0,
  time: { now: () => 0 },
  faults: [],
  tally: createFaultTally([]),
  unable: {},
  journalRoom: createJournalRoom(),
  secrets: [],
  room: { records: roomLimits.records - 2 },
};

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

test('worlds that are opened at once do not pass the limit together', async () => {
  const records = roomLimits.records - 200;
  const settings: WorldSettings = {
    ...full,
    world: 'crowded',
    streams: 50,
    room: { records },
  };
  const opened = await Promise.allSettled(['a', 'b'].map((key) => createWorld(settings, key)));
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  const [world] = opened.flatMap((result) => ('value' in result ? [result.value] : []));
  expect(settings.room.records).toBe(records + (world?.records ?? 0));
});

test('a world that cannot be made takes no room', async () => {
  const room = { records: 0 };
  const now = () => {
    throw new Error('no clock');
  };
  await expect(createWorld({ ...full, room, time: { now } }, 'a')).rejects.toThrow('no clock');
  expect(room.records).toBe(0);
});

describe('a mock that is full of streams and sessions', () => {
  test('takes no more, in whichever world, until some are gone', async () => {
    const [one, other] = [await createWorld(full, 'one'), await createWorld(full, 'other')];
    const { id } = await createStream(one, { name: 'last but one' });
    await startSession(one, id, 1);
    for (const added of [
      createStream(other, { name: 'too many' }),
      startSession(one, id, 1),
      createWorld(full, 'third'),
    ]) {
      await expect(added).rejects.toMatchObject({
        status: 429,
        message:
          'records: expected at most 400000 in one mock, got another stream or session; delete some, or a snapshot, or reset a world',
      });
    }
    expect(() => saveSnapshot(one, 'copy')).toThrow('records: expected at most 400000');
    await deleteStream(one, id);
    await createStream(other, { name: 'fits again' });
    saveSnapshot(other, 'copy');
    saveSnapshot(other, 'copy'); // in the place of the one before
    await expect(createStream(other, { name: 'too many' })).rejects.toThrow('records: expected');
    deleteSnapshot(other, 'copy');
    await createStream(other, { name: 'fits again' });
  });

  test('has room again for what a world that was discarded held', async () => {
    const room = { records: roomLimits.records - 1 };
    const journalRoom = createJournalRoom();
    const world = await createWorld({ ...full, room, journalRoom }, 'one');
    await createStream(world, { name: 'the last' });
    discardWorld(world);
    expect(room.records).toBe(roomLimits.records - 1);
    expect(journalRoom.journals.size).toBe(0);
  });
});
