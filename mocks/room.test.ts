import { describe, expect, test } from 'vitest';
import { testRequest } from './http/request.test-support.ts';
import { createJournalRoom } from './journal/journal.ts';
import { createMock } from './mock.ts';
import { roomLimits } from './room.ts';
import { createStream, deleteStream, startSession } from './service.ts';
import { deleteSnapshot, saveSnapshot } from './snapshot.ts';
import { createWorld, type WorldSettings } from './world.ts';

test('a mock takes 1,000 API keys, and says so at the next', async () => {
  const mock = createMock();
  const ask = (key: string) =>
    mock.fetch(testRequest('GET /api/stream', { authorization: `Bearer ${key}` }));
  for (let count = 0; count < roomLimits.worlds - 1; count++) await ask(`test-${count}`);
  expect((await ask('test-last')).status).toBe(200);
  const refused = await ask('test-another');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    errors: [
      'worlds: expected at most 1000 in one mock, got another API key; use fewer keys, or a mock of its own for each run',
    ],
  });
  expect((await ask('test-0')).status).toBe(200);
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
});
