import { expect, test } from 'vitest';
import { readErrors, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { maxWorlds } from '../state/limits.ts';
import { memoryStore } from '../stores/memory-store.test-support.ts';

test('a mock accepts 1,000 API keys, and refuses the next with the reason', async () => {
  const mock = createMock();
  const ask = (key: string) =>
    mock.fetch(testRequest('GET /api/stream', { authorization: `Bearer ${key}` }));
  for (let count = 0; count < maxWorlds; count++) await ask(`test-${count}`);
  const refused = await ask('test-another');
  const error =
    'API keys: expected at most 1000 in one mock, got one more; use fewer, end some (DELETE /_mock/world), or a separate mock for each run';
  expect([refused.status, ...(await readErrors(refused))]).toEqual([429, error]);
  expect((await ask('test-0')).status).toBe(200);
  const keyless = await mock.fetch(testRequest('GET /api/stream', { authorization: null }));
  expect(keyless.status).toBe(401);
});

test('a request gets a response even if the mock cannot open a world for it', async () => {
  const open = () => Promise.reject(new Error('disk busy'));
  const { fetch } = createMock({ store: { ...memoryStore(), open } });
  const response = await fetch(testRequest('GET /api/stream', { authorization: null }));
  expect(response.status).toBe(401);
});

test('a mock that is full of streams and sessions accepts no more in any world, until some are deleted', async () => {
  const mock = createMock({ maxRecords: 2 });
  const one = await mock.world('test-one');
  const other = await mock.world('test-other');
  const { id } = await one.createStream({ name: 'last but one' });
  await one.start(id, { duration: 1 });
  const full =
    'records: expected at most 2 streams and sessions in one mock, including snapshots, got 3; delete some, or a snapshot, or reset a world, or allow more (maxRecords, serve --max-records)';
  await expect(other.createStream({ name: 'too many' })).rejects.toThrow(full);
  one.addFault({ effect: 'recording-failed', times: 1 });
  await one.setRecord(id, true);
  await expect(one.start(id, { duration: 1 })).rejects.toThrow(full);
  expect(one.faults).toMatchObject([{ matched: 0 }]);
  expect(() => one.saveSnapshot('copy')).toThrow('records: expected at most 2');
  await one.deleteStream(id);
  await other.createStream({ name: 'fits again' });
  other.saveSnapshot('copy');
  other.saveSnapshot('copy'); // in the place of the one before
  await expect(other.createStream({ name: 'too many' })).rejects.toThrow('records: expected');
  const authorization = 'Bearer test-other';
  await mock.fetch(testRequest('DELETE /_mock/snapshots/copy', { authorization }));
  await other.createStream({ name: 'fits again' });
});

test.each(['nothing', 'sessions'] as const)(
  'with a dialect, a deleted stream makes room, even if deleting leaves %s',
  async (leaves) => {
    const dialect = { dialect: 3, behaviours: { 'delete.leaves': leaves } } as const;
    const mock = createMock({ maxRecords: 1, dialect });
    const send = (line: string, parts = {}) => mock.fetch(testRequest(line, parts));
    for (let round = 0; round < 3; round++) {
      const created = await send('POST /api/stream', { body: '{"name":"short-lived"}' });
      expect(created.status).toBe(201);
      const { id } = (await created.json()) as { id: string };
      expect((await send(`DELETE /api/stream/${id}`)).status).toBe(204);
      expect((await send(`GET /api/stream/${id}`)).status).toBe(404);
      const world = await mock.world();
      world.saveSnapshot('deleted');
      await world.restoreSnapshot('deleted');
    }
    await (await mock.world()).importState((await mock.world()).exportState());
  },
);

test('worlds that are read from a store at the same time do not exceed the limit together', async () => {
  const world = await createMock().world();
  for (const name of ['a', 'b']) await world.createStream({ name });
  const open = async () => [{ at: 0, state: world.exportState() }];
  const mock = createMock({ store: { ...memoryStore(), open }, maxRecords: 3 });
  const opened = await Promise.allSettled([mock.world('test-a'), mock.world('test-b')]);
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});
