import { expect, test } from 'vitest';
import { collections } from '../../mocks/adapters/data/data.ts';
import { testRequest } from '../../mocks/http/request.test-support.ts';
import type { ArchiveLog } from '../../mocks/journal/har.ts';
import { createMock, type Mock } from '../../mocks/mock.ts';
import type { World } from '../../mocks/service/testers/world-handle.ts';
import {
  type Alteration,
  against,
  answering,
  apiKey,
  showingInNew,
  shownDeleted,
  showsDeleted,
} from './against.test-support.ts';
import { parseArchive } from './archive-file.ts';
import { compare } from './compare.ts';
import type { Comparison } from './comparison.ts';
import { comparisonStatus, renderComparison } from './comparison-report.ts';

/** What the test of an app does: it controls a mock while the app sends requests. */
type Story = (
  send: (line: string, body?: object) => Promise<Response>,
  world: World,
  mock: Mock,
) => Promise<void>;

/** The archive of the journal after a story. */
async function archiveOf(story: Story, world: 'empty' | 'demo' = 'empty'): Promise<ArchiveLog> {
  const mock = createMock({ world });
  const handle = await mock.world();
  const authorization = `Bearer ${mock.apiKey}`;
  const send = (line: string, body?: object): Promise<Response> => {
    const sent = body && { body: JSON.stringify(body) };
    return mock.fetch(testRequest(line.replace(' ', ' /api'), { authorization, ...sent }));
  };
  await story(send, handle, mock);
  return parseArchive(JSON.stringify(await handle.archive()));
}

function replayed(archive: ArchiveLog, change?: Alteration): Promise<Comparison> {
  return compare({ ...against(change), archive });
}

const wholeStory: Story = async (send, world) => {
  const { id } = await world.createStream({ name: 'arranged', record: true });
  await send('GET /stream');
  const created = await send('POST /stream', { name: 'of the app' });
  const { id: own } = await created.json();
  await send(`PATCH /stream/${own}/record`, { record: true });
  await world.start(id);
  await send(`GET /stream/${id}`);
  world.clock.advance('10m');
  await world.stop(id);
  await world.start(own, { duration: 60 });
  world.clock.advance('10m');
  await send(`GET /stream/${own}/sessions?record=1`);
  await send(`GET /stream/${id}/sessions?record=1`);
  await send('GET /session?limit=1');
  await send('GET /session?limit=1&cursor=never-given');
  await send(`PATCH /stream/${own}/record`, { record: 'yes' });
  await send('GET /stream/no-such-stream');
  await send(`DELETE /stream/${own}`);
  await send(`GET /stream/${own}`);
};

test('a service that behaves like the mock does not differ from its archive', async () => {
  const comparison = await replayed(await archiveOf(wholeStory));
  expect(comparison).toMatchObject({ differences: [], skipped: {}, unknownReasons: [] });
  expect(comparison).toMatchObject({ operations: 12, unanswered: 0, leftBehind: [] });
  expect(comparisonStatus(comparison)).toBe(0);
});

test('a response that differs from the archive is a difference', async () => {
  const comparison = await replayed(await archiveOf(wholeStory), showsDeleted);
  expect(comparison.differences).toMatchObject([
    { name: shownDeleted, times: 1, requests: { deleteStream: 1 } },
  ]);
  expect(comparisonStatus(comparison)).toBe(1);
});

test('a response that differs from the archive as is known fails nothing', async () => {
  const known = [{ difference: shownDeleted, reason: 'ours', seed: 1, sequence: 3 }];
  const accepted = { ...against(showsDeleted), archive: await archiveOf(wholeStory), known };
  expect(comparisonStatus(await compare(accepted))).toBe(0);
});

test('requests for which there is no time are counted, and leave the verdict open', async () => {
  const archive = await archiveOf(wholeStory);
  const { now = Date.now, ...target } = against();
  let calls = 0;
  const comparison = await compare({ ...target, archive, time: 1, now: () => now() + calls++ });
  expect(comparison.skipped).toEqual({ 'time ran out': archive.entries.length });
  expect(comparisonStatus(comparison)).toBe(2);
});

test('requests that follow streams without usable ids are counted, and leave the verdict open', async () => {
  const archive = await archiveOf(async (send) => {
    for (let count = 0; count < 5; count++) await send('POST /stream', { name: 'a' });
  });
  const { provider: _, ...target } = against(showingInNew({ id: null }));
  const comparison = await compare({ ...target, archive });
  const reason = 'new streams have no usable id, so they cannot be deleted';
  expect(comparison).toMatchObject({ end: reason, skipped: { [reason]: 3 } });
});

test('what a world began with is made first, in the order of its lists', async () => {
  const archive = await archiveOf(async (send, world) => {
    await send('GET /stream');
    await send('GET /session?record=1');
    const [session] = world.sessions().filter(({ recordingStatus }) => recordingStatus === 'ready');
    await send(`GET /stream/${session?.parentId}`);
    await send(`GET /stream/${session?.parentId}/sessions?record=1`);
    await send(`GET /session/${session?.id}`);
  }, 'demo');
  const comparison = await replayed(archive);
  expect(comparison.differences.map(({ name }) => name)).toEqual([]);
  expect(comparison).toMatchObject({ operations: 5, skipped: {} });
});

test('requests that a fault answered, or that cannot be sent again, are skipped and counted', async () => {
  const archive = await archiveOf(async (send, world, mock) => {
    await send('POST /stream', { name: 'of the app' });
    world.addFault({ effect: 'status', status: 503, times: 1 });
    await send('GET /stream');
    await mock.fetch(new Request('https://livestream.test/api/nowhere'));
    await mock.fetch(
      new Request('https://livestream.test/api/stream', { headers: { authorization: 'Basic a' } }),
    );
  });
  const comparison = await replayed(archive);
  expect(comparison).toMatchObject({ differences: [], operations: 1 });
  expect(comparison.skipped).toMatchObject({
    'a fault answered it': 1,
    'it cannot be sent again': expect.any(Number),
  });
  expect(renderComparison(comparison, { colours: false, width: 500 })).toContain(
    '1 request of the archive skipped: a fault answered it',
  );
});

test('what follows the restore of a snapshot is skipped and counted', async () => {
  const archive = await archiveOf(async (send, world) => {
    const { id } = await world.createStream({ name: 'there at the start' });
    world.saveSnapshot('start');
    await world.createStream({ name: 'gone' });
    await world.restoreSnapshot('start');
    await send('GET /stream');
    await send('POST /stream', { name: 'of the app' });
    await send(`DELETE /stream/${id}`);
    await world.restoreSnapshot('start');
    await send('GET /stream');
    await send(`GET /stream/${id}`);
  });
  const comparison = await replayed(archive);
  expect(comparison).toMatchObject({ differences: [], operations: 3 });
  expect(comparison.skipped).toEqual({
    'it follows the restore of a snapshot, or a change that was skipped': 2,
  });
});

test('after a recording whose status a tester fixed, requests for sessions are skipped and counted', async () => {
  const archive = await archiveOf(async (send, world) => {
    const { id } = await world.createStream({ name: 'arranged', record: true });
    const { sessions } = await collections(world);
    await sessions.create({ parentId: id, duration: 60, recordingStatus: 'failed' });
    await send('GET /session');
    await send(`GET /stream/${id}`);
  });
  const comparison = await replayed(archive);
  expect(comparison).toMatchObject({ differences: [], operations: 1 });
  expect(comparison.skipped).toEqual({ 'it follows a recording whose status was fixed': 1 });
});

test('what follows a change whose body the journal did not keep is skipped and counted', async () => {
  const archive = await archiveOf(async (send) => {
    const { id } = await (await send('POST /stream', { name: 'dropped' })).json();
    await send(`PATCH /stream/${id}/record`, { record: true });
    await send('GET /stream');
  });
  const [created] = archive.entries;
  delete created?.response.content.text;
  const comparison = await replayed(archive);
  expect(comparison).toMatchObject({ differences: [], operations: 0 });
  expect(comparison.skipped).toEqual({
    'its body is not in the archive': 1,
    'it follows the restore of a snapshot, or a change that was skipped': 2,
  });
});

test('without a provider of sessions, requests for sessions are skipped', async () => {
  const { provider: _, ...target } = against();
  const comparison = await compare({ ...target, archive: await archiveOf(wholeStory) });
  expect(comparison.differences).toEqual([]);
  expect(comparison.skipped).toEqual({ 'its stream or session cannot be made on the target': 4 });
});

test('only what the replay made is written to', async () => {
  const written: string[] = [];
  const watching = answering(({ method, url }) => {
    if (method !== 'GET') written.push(`${method} ${new URL(url).pathname}`);
    return undefined;
  });
  const archive = await archiveOf(async (send, world) => {
    const [stream] = world.streams();
    await send(`PATCH /stream/${stream?.id}/record`, { record: true });
    await send('DELETE /stream/somebody-elses');
  }, 'demo');
  const before = createMock();
  const { id } = await (await before.world(apiKey)).createStream({ name: 'there before' });
  const { send: _, ...options } = against();
  await compare({ ...options, archive, send: watching(before.fetch) });
  expect(written.filter((line) => line.includes(id) || line.includes('somebody'))).toEqual([]);
  expect((await before.world(apiKey)).streams().map((stream) => stream.id)).toEqual([id]);
});

test.each([
  ['{"log":{"entries":[]}}', 'log: expected an HTTP archive that a mock has exported'],
  ['[]', 'expected'],
  ['not JSON', 'expected JSON, got a syntax error'],
  [
    '{"kind":"state","value":{}}\n{"kind":"end"}',
    'expected an HTTP archive that a mock has exported, got an exported state',
  ],
])('%s is not the archive of a mock', (file, message) => {
  expect(() => parseArchive(file)).toThrow(message);
});
