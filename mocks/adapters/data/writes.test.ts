import { expect, test } from 'vitest';
import { Problem } from '../../messages/problem.ts';
import { memoryStore } from '../../stores/memory-store.test-support.ts';
import { arrange, arrangeThree, namesOf } from './data.test-support.ts';
import type { Collections } from './data.ts';

test('a write is visible at once, and resolves once it is stored', async () => {
  const store = memoryStore();
  const { streams } = await arrange({ store });
  const events: string[] = [];
  store.append = async () => {
    await new Promise(setImmediate);
    events.push(`stored, while ${streams.count()} is visible`);
  };
  expect((await streams.create({ name: 'a' })).name).toBe('a');
  events.push('resolved');
  expect(events).toEqual(['stored, while 1 is visible', 'resolved']);
  store.append = () => Promise.reject(new Error('disk full'));
  await expect(streams.create({ name: 'b' })).rejects.toThrow('disk full');
  expect(await streams.updateMany(undefined, { data: () => {} })).toHaveLength(2);
});

test('a created session lasts `duration` seconds, and its recording becomes ready with time', async () => {
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

test('an update switches the recording of a stream, or settles that of a session', async () => {
  const { streams, sessions, ask } = await arrange();
  const { id } = await streams.create({ name: 'a' });
  const switched = await streams.update((q) => q.where({ id }), {
    data: (stream) => setRecord(stream, true),
  });
  expect(switched?.record).toBe(true);
  const session = await sessions.create({ parentId: id, duration: 60, recordingStatus: 'ready' });
  expect(await ask(`/session/${session.id}`)).toHaveProperty('mp4URL');
  await assign(sessions, session.id, { recordingStatus: 'deleted' });
  expect(await ask('/session')).toMatchObject([{ recordingStatus: 'deleted' }]);
  expect(await ask(`/session/${session.id}`)).not.toHaveProperty('mp4URL');
});

function setRecord(row: { record: boolean }, record: boolean): void {
  row.record = record;
}

test('one stream, those of a query, or all are deleted with their sessions', async () => {
  const { streams, sessions } = await arrangeThree();
  const parentId = streams.findFirst((q) => q.where({ name: 'b' }), { strict: true }).id;
  await sessions.createMany(2, () => ({ parentId, duration: 60 }));
  expect(namesOf(await streams.deleteMany((q) => q.where({ name: 'b' })))).toBe('b');
  expect([streams.count(), sessions.count()]).toEqual([2, 0]);
  const stream = await streams.create({ name: 'd' });
  await streams.clear();
  expect(() => stream.sessions).toThrow('id: expected a stream of this API key');
  expect(await streams.delete((q) => q.where({ name: 'a' }))).toBeUndefined();
});

interface Setup extends Collections {
  readonly now: number;
  /** The ids of a stream that is not live, of one that is, and of a session. */
  readonly calm: string;
  readonly live: string;
  readonly ended: string;
}

/** Updates a record of a collection with these values. */
function assign(collection: Collections[keyof Collections], id: string, values: object) {
  const data = (draft: object) => void Object.assign(draft, values);
  return (collection as Collections['streams']).update((q) => q.where({ id }), { data });
}

const twin = { name: '720p', bitrate: 2e6, fps: 30, width: 1280, height: 720 };

test.each<[RegExp, (setup: Setup) => Promise<unknown>]>([
  [
    /^profiles\[1\].name: expected a unique name/,
    ({ streams }) =>
      streams.createMany(3, (index) => ({ name: 'x', profiles: index === 2 ? [twin, twin] : [] })),
  ],
  [
    /^name: expected no change, as an update sets record alone, got "y"$/,
    ({ streams, calm }) => assign(streams, calm, { name: 'y', record: false }),
  ],
  [
    /^record: expected true or false, got "yes"$/,
    ({ streams, calm }) => assign(streams, calm, { record: 'yes' }),
  ],
  [
    /^record: expected a stream that is not live, got stream/,
    ({ streams }) => streams.updateMany(undefined, { data: (row) => setRecord(row, !row.record) }),
  ],
  [/^delete: expected a stream that is not live, got stream/, ({ streams }) => streams.clear()],
  [
    /^id: expected a parent stream, got session .* of stream/,
    ({ sessions, ended }) => sessions.create({ parentId: ended, duration: 60 }),
  ],
  [
    /^parentId: expected a stream that is not live, got stream .*; stop it first$/,
    ({ sessions, live }) => sessions.create({ parentId: live, duration: 60 }),
  ],
  [
    /^duration: expected a number of seconds, above 0 and at most \d+ \(31 days\), got 0$/,
    ({ sessions, calm }) => sessions.create({ parentId: calm, duration: 0 }),
  ],
  [
    /^endedAt: expected a time up to \d+, which is now, got \d+$/,
    ({ sessions, calm, now }) =>
      sessions.create({ parentId: calm, duration: 60, endedAt: now + 1 }),
  ],
  [
    /^recordingStatus: expected none, as stream .* was not recorded, got "ready"$/,
    ({ sessions, calm }) =>
      sessions.create({ parentId: calm, duration: 60, recordingStatus: 'ready' }),
  ],
  [
    /^delete: expected a stream, got session .*; a session is deleted with its stream$/,
    ({ sessions }) => sessions.deleteMany(),
  ],
])('a write that is refused with %s changes nothing', async (message, write) => {
  const { streams, sessions, world } = await arrange();
  const { id: calm } = await streams.create({ name: 'calm' });
  const { id: live } = await streams.create({ name: 'live', record: true });
  await world.start(live);
  const { id: ended } = await sessions.create({ parentId: calm, duration: 60 });
  const before = world.exportState();
  const setup = { streams, sessions, now: world.clock.now(), calm, live, ended };
  const refusal = await write(setup).catch((exception: unknown) => exception);
  expect(refusal).toBeInstanceOf(Problem);
  expect((refusal as Problem).message).toMatch(message);
  expect(world.exportState()).toEqual(before);
});
