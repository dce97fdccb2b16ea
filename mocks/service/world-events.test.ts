import { expect, test } from 'vitest';
import { collections } from '../adapters/data/data.ts';
import { type RequestParts, testKey, testRequest } from '../http/request.test-support.ts';
import { testerHeader } from '../messages/tester-request.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';

/** A mock with a stream, and requests to it by the dashboard. */
async function setUp(options: MockOptions = {}) {
  const mock = createMock(options);
  const world = await mock.world(testKey);
  const { id } = await world.createStream({ name: 'before', record: true });
  const send = (line: string, parts: RequestParts = {}) => mock.fetch(testRequest(line, parts));
  const headers = { [testerHeader]: '1', 'content-type': 'application/json' };
  const byTester = (line: string, body?: object) =>
    send(line, { headers, ...(body && { body: JSON.stringify(body) }) });
  const actions = async () => (await world.archive()).log._livestream.arranged;
  return { mock, world, id, send, byTester, actions };
}

test('an archive says which fields a tester has set', async () => {
  const { id, byTester, actions } = await setUp();
  await byTester(`PATCH /api/stream/${id}`, { name: 'after', suspended: true });
  const fields = { name: 'after', suspended: true };
  expect((await actions()).at(-1)).toEqual({ kind: 'updated', streamId: id, fields, after: 0 });
});

test('an archive says that a tester has ended a live session', async () => {
  const { world, id, byTester, actions } = await setUp();
  await world.start(id);
  world.clock.advance('8s');
  await byTester(`DELETE /api/stream/${id}/terminate`);
  expect((await actions()).at(-1)).toEqual({ kind: 'ended', streamId: id, duration: 8, after: 0 });
});

test('an archive says which status a tester has given a recording', async () => {
  const { world, id, actions } = await setUp();
  const { sessions } = await collections(world);
  const session = await sessions.create({ parentId: id, duration: 8, recordingStatus: 'ready' });
  await sessions.update((q) => q.where({ id: session.id }), {
    data(row) {
      row.recordingStatus = 'deleted';
    },
  });
  const settled = (await actions()).filter(({ kind }) => kind === 'settled');
  expect(settled).toEqual(
    ['ready', 'deleted'].map((recordingStatus) => {
      return { kind: 'settled', sessionId: session.id, recordingStatus, after: 0 };
    }),
  );
});

test('an archive does not say what a client did, as its requests say that', async () => {
  const { id, send, actions } = await setUp();
  const before = await actions();
  await send(`DELETE /api/stream/${id}`);
  expect(await actions()).toEqual(before);
});

test('the timeline has a switch of recording and a jump of the clock, whoever made them', async () => {
  const { world, id, send } = await setUp();
  const at = world.clock.now();
  await send(`PATCH /api/stream/${id}/record`, { body: '{"record":false}' });
  world.clock.advance('1m');
  const moments = await send('GET /_mock/moments');
  expect(await moments.json()).toEqual([
    { kind: 'recording', at, streamId: id, record: false },
    { kind: 'clock', at, to: at + 60_000 },
  ]);
});

test('the timeline says which fault has decided about the recording of a session', async () => {
  const { world, id, send } = await setUp();
  const fault = world.addFault({ effect: 'recording-failed', times: 1 }).id;
  const at = world.clock.now();
  const failed = await world.start(id, { duration: 8 });
  await world.start(id, { duration: 8 });
  expect(await (await send('GET /_mock/moments')).json()).toEqual([
    { kind: 'fault', at, streamId: id, sessionId: failed.id, fault },
  ]);
});

test('a deletion by a tester leaves what the dialect of the mock leaves', async () => {
  const dialect = {
    dialect: 3,
    errors: { retrieveStream: { id: { deleted: { status: 410 } } } },
  } as const;
  const { world, id, send } = await setUp({ dialect });
  await world.deleteStream(id);
  expect((await send(`GET /api/stream/${id}`)).status).toBe(410);
});

test('an update that changes nothing is no action of a tester', async () => {
  const { id, byTester, actions } = await setUp();
  await byTester(`PATCH /api/stream/${id}`, { name: 'again', playbackPolicy: { type: 'public' } });
  const before = await actions();
  await byTester(`PATCH /api/stream/${id}`, { name: 'again' });
  expect(await actions()).toEqual(before);
});
