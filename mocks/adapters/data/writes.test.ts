import { expect, test } from 'vitest';
import type { Change } from '../../state/change.ts';
import { arrange, arrangeThree, holdingStore, namesOf } from './data.test-support.ts';

test('what a write has done is there at once', async () => {
  const { streams } = await arrange();
  const creating = streams.create({ name: 'a' });
  expect(streams.count()).toBe(1);
  const stream = await creating;
  const deleting = streams.delete(stream);
  expect(streams.count()).toBe(0);
  expect(await deleting).toEqual(stream);
});

test('a write resolves once it is kept, and is there before', async () => {
  const { store, hold, release } = holdingStore();
  const { streams } = await arrange({ store });
  hold();
  let isKept = false;
  const creating = streams.create({ name: 'a' }).finally(() => {
    isKept = true;
  });
  await new Promise(setImmediate);
  expect([streams.count(), isKept]).toEqual([1, false]);
  release();
  expect((await creating).name).toBe('a');
});

test('a session that is created ends `duration` seconds after its start, and the clock makes its recording', async () => {
  const { streams, sessions, world, ask } = await arrange({ recordingDelay: '1m' });
  const { id } = await streams.create({ name: 'a', record: true });
  const endedAt = world.clock.now() - 30_000;
  const session = await sessions.create({ parentId: id, duration: 90.5, endedAt });
  expect(session).toMatchObject({
    parentId: id,
    recordingStatus: 'waiting',
    createdAt: endedAt - 90_500,
    lastSeen: endedAt,
    sourceSegmentsDuration: 90.5,
  });
  world.clock.advance('30s');
  const ready = sessions.findFirst((q) => q.where({ recordingStatus: 'ready' }));
  expect(ready).toEqual(await ask(`/session/${session.id}`));
  expect(ready?.mp4URL).toContain('/recordings/');
});

test('a session that was created with a status keeps it', async () => {
  const { streams, sessions, world } = await arrange();
  const { id } = await streams.create({ name: 'a', record: true });
  const statuses = ['ready', 'failed', 'waiting'] as const;
  for (const recordingStatus of statuses) {
    await sessions.create({ parentId: id, duration: 60, recordingStatus });
  }
  world.clock.advance('1d');
  expect(sessions.all().map(({ recordingStatus }) => recordingStatus)).toEqual(statuses);
});

test('the recording of a session that was created without a status meets a fault, as any', async () => {
  const { streams, sessions, world } = await arrange();
  const { id } = await streams.create({ name: 'a', record: true });
  world.addFault({ effect: 'recording-failed', times: 1 });
  await sessions.create({ parentId: id, duration: 60, recordingStatus: 'ready' });
  await sessions.create({ parentId: id, duration: 60 });
  expect(sessions.all().map(({ recordingStatus }) => recordingStatus)).toEqual(['ready', 'failed']);
});

test('an update switches the recording of a stream, or settles that of a session', async () => {
  const { streams, sessions, ask } = await arrange();
  const { id } = await streams.create({ name: 'a' });
  const switched = await streams.update((q) => q.where({ id }), {
    data: (stream) => setRecord(stream, true),
  });
  expect(switched?.record).toBe(true);
  const session = await sessions.create({ parentId: id, duration: 60, recordingStatus: 'ready' });
  expect(await ask(`/session/${session.id}`)).toHaveProperty('mp4URL');
  await sessions.update(session, {
    data(draft) {
      draft.recordingStatus = 'deleted';
    },
  });
  expect(await ask('/session')).toMatchObject([{ recordingStatus: 'deleted' }]);
  expect(await ask(`/session/${session.id}`)).not.toHaveProperty('mp4URL');
});

test('a status that is set to what it is stays, whatever the clock says', async () => {
  const { streams, sessions, world } = await arrange();
  const { id } = await streams.create({ name: 'a', record: true });
  await sessions.createMany(2, () => ({ parentId: id, duration: 60 }));
  const [waits] = await sessions.updateMany(undefined, {
    take: 1,
    data(session) {
      session.recordingStatus = 'waiting';
    },
  });
  world.clock.advance('1d');
  expect(sessions.all().map((row) => [row.id === waits?.id, row.recordingStatus])).toEqual([
    [true, 'waiting'],
    [false, 'ready'],
  ]);
});

test('a call is one change, however many records it writes, or none', async () => {
  const changes: Change[] = [];
  const { streams, sessions } = await arrange({
    store: {
      open: async () => [],
      append: async (_, more) => void changes.push(...more),
      names: async () => [],
    },
  });
  const countOf = async (write: () => Promise<unknown>): Promise<number> => {
    const before = changes.length;
    await write();
    return changes.length - before;
  };
  const counts = [
    await countOf(() =>
      streams.createMany(3, (index) => ({ name: `${index}`, record: index > 0 })),
    ),
    await countOf(() => streams.updateMany(undefined, { data: (row) => setRecord(row, true) })),
    await countOf(() => streams.updateMany(undefined, { data: ({ name }) => void name })),
    await countOf(() => {
      const [parent] = streams.all();
      return sessions.createMany(5, () => ({ parentId: parent?.id ?? '', duration: 60 }));
    }),
    await countOf(() => streams.deleteMany((q) => q.where({ name: 'unknown' }))),
    await countOf(() => streams.clear()),
  ];
  expect(counts).toEqual([1, 1, 0, 1, 0, 1]);
});

function setRecord(row: { record: boolean }, record: boolean): void {
  row.record = record;
}

test('an update of many returns them in the order that was asked for', async () => {
  const { streams } = await arrangeThree();
  const updated = await streams.updateMany((q) => q.where({ record: false }), {
    data: (row) => setRecord(row, true),
    orderBy: { name: 'desc' },
  });
  expect(namesOf(updated)).toEqual(['c', 'a']);
  expect(streams.all().every(({ record }) => record)).toBe(true);
});

test('an update of many that one of them refuses changes none', async () => {
  const { streams, world } = await arrangeThree();
  const [c] = world.streams();
  await world.start(c?.id ?? '');
  const before = world.exportState();
  const refused = streams.updateMany(undefined, {
    data: (stream) => setRecord(stream, !stream.record),
  });
  await expect(refused).rejects.toThrow(/^record: expected a stream that is not live, got stream/);
  expect(world.exportState()).toEqual(before);
});

test('two updates at once both count', async () => {
  const { streams } = await arrangeThree();
  let begin = (): void => {};
  const both = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const update = (name: string, record: boolean) =>
    streams.update((q) => q.where({ name }), {
      async data(stream) {
        await both;
        stream.record = record;
      },
    });
  const updates = [update('a', true), update('b', false), update('c', true)];
  await streams.delete((q) => q.where({ name: 'c' }));
  begin();
  const [a, b, c] = await Promise.allSettled(updates);
  expect([a, b]).toMatchObject([{ value: { record: true } }, { value: { record: false } }]);
  expect(c).toMatchObject({
    reason: { message: expect.stringContaining('id: expected a stream') },
  });
  expect(streams.all().map(({ record }) => record)).toEqual([true, false]);
});

test('an update of a stream that is deleted meanwhile is refused', async () => {
  const { streams } = await arrangeThree();
  const refused = streams.updateMany(undefined, {
    async data(stream) {
      if (stream.name === 'b') await streams.delete((q) => q.where({ name: 'a' }));
      stream.record = true;
    },
  });
  await expect(refused).rejects.toThrow(/^id: expected a stream of this API key, got/);
  expect(streams.all().map(({ record }) => record)).toEqual([true, false]);
});

test('an update that takes time is not put off by a clock that runs', async () => {
  let now = 1e12;
  const { streams, world } = await arrange({ now: () => now });
  const live = await streams.create({ name: 'a' });
  const calm = await streams.create({ name: 'b' });
  await world.start(live.id);
  await streams.updateMany(undefined, {
    data(stream) {
      now += 60_000;
      if (!stream.isActive) stream.record = true;
    },
  });
  expect(streams.findFirst((q) => q.where({ id: calm.id }))?.record).toBe(true);
});

test('streams are deleted with their sessions: one, those of a query, all', async () => {
  const { streams, sessions } = await arrangeThree();
  const parentId = streams.findFirst((q) => q.where({ name: 'b' }), { strict: true }).id;
  await sessions.createMany(2, () => ({ parentId, duration: 60 }));
  expect(namesOf(await streams.deleteMany((q) => q.where({ name: 'b' })))).toEqual(['b']);
  expect([streams.count(), sessions.count()]).toEqual([2, 0]);
  const stream = await streams.create({ name: 'd' });
  await streams.clear();
  expect(() => stream.sessions).toThrow('id: expected a stream of this API key');
  expect(streams.all()).toEqual([]);
  expect(await streams.delete((q) => q.where({ name: 'a' }))).toBeUndefined();
});

test('a world that is cleared while one stream is live keeps all', async () => {
  const { streams, world } = await arrange({ world: 'demo' });
  await expect(streams.clear()).rejects.toThrow(/^delete: expected a stream that is not live, got/);
  expect(streams.count()).toBe(6);
  const live = streams.findFirst((q) => q.where({ isActive: true }), { strict: true });
  await world.stop(live.id);
  await streams.clear();
  expect(streams.count()).toBe(0);
});
