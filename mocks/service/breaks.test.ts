import { describe, expect, test } from 'vitest';
import { run } from '../../conformance/run.ts';
import { type Breaks, breakIds, breakOf } from '../../interface/breaks.ts';
import { testRequest } from '../http/request.test-support.ts';
import { testerHeader } from '../http/tester.ts';
import { createMock, type Mock } from '../mock.ts';

function breakingMock(breaks: Breaks): Mock {
  return createMock({
    now: Date.now,
    recordingDelay: 0,
    dialect: { format: 'livestream-mock/dialect', version: 1, rows: {}, breaks },
  });
}

async function send({ fetch, apiKey }: Mock, line: string, body?: object, headers = {}) {
  const parts = {
    ...{ authorization: `Bearer ${apiKey}`, headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const response = await fetch(testRequest(line, parts));
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
}

const samples = breakIds.flatMap((id) => breakOf(id).samples.map((value) => ({ id, value })));

test.each(samples)('check fails exactly what a service breaks: $id, $value', async (sample) => {
  const { fetch, apiKey } = breakingMock({ [sample.id]: sample.value });
  const { results } = await run({
    ...{ baseUrl: 'http://mock.test/api', apiKey, send: fetch },
    provider: { controlUrl: 'http://mock.test/_mock' },
  });
  const open = results.filter(({ level, outcome }) => level !== 'observe' && outcome !== 'pass');
  expect(open.filter(({ outcome }) => outcome !== 'untested').map(({ id }) => id)).toEqual(
    breakOf(sample.id).requirements(sample.value),
  );
});

describe('a key that is spelled otherwise', () => {
  test('is so in every stream and session of the interface', async () => {
    const mock = breakingMock({ 'key-spelling': { createdAt: 'created', parentId: 'parent' } });
    const created = await send(mock, 'POST /api/stream', { name: 'a', record: true });
    const { id } = created.body;
    await send(mock, `POST /_mock/streams/${id}/start`, { duration: 4 });
    const sessions = await send(mock, 'GET /api/session');
    const shown = [
      ...[created, await send(mock, `GET /api/stream/${id}`), await send(mock, 'GET /api/stream')],
      ...[sessions, await send(mock, `GET /api/stream/${id}/sessions?record=1`)],
      await send(mock, `GET /api/session/${sessions.body[0].id}`),
    ];
    for (const { text } of shown) {
      expect(text).toContain('"created":');
      expect(text).not.toMatch(/"(createdAt|parentId)":/);
    }
  });

  test('leaves a field of the client as it was sent', async () => {
    const dialect = {
      format: 'livestream-mock/dialect',
      version: 1,
      rows: { 'create.unknown-field': 'kept' },
      breaks: { 'key-spelling': { createdAt: 'created' } },
    } as const;
    const { body } = await send(createMock({ dialect }), 'POST /api/stream', {
      name: 'a',
      constructor: 'kept',
    });
    expect(Object.entries(body)).toContainEqual(['constructor', 'kept']);
  });

  test('is as stated for testers and in the control API', async () => {
    const mock = breakingMock({ 'key-spelling': { createdAt: 'created' } });
    const { body } = await send(mock, 'POST /api/stream', { name: 'a' });
    const begun = await send(mock, `POST /_mock/streams/${body.id}/start`);
    const seen = await send(mock, 'GET /api/stream', undefined, { [testerHeader]: '1' });
    for (const { text } of [begun, seen]) expect(text).toContain('"createdAt":');
  });
});

test('a stream without profiles has the recommended ones, and so have its sessions', async () => {
  const mock = breakingMock({ 'default-profiles': true });
  const { body } = await send(mock, 'POST /api/stream', { name: 'a' });
  const session = await (await mock.world()).start(body.id);
  const names = ['720p', '480p', '360p'];
  expect(body.profiles.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(session.profiles?.map(({ name }) => name)).toEqual(names);
});

test('an update that switches recording is refused while the stream is live, and changes nothing', async () => {
  const mock = breakingMock({ 'update-switches-record': true });
  const { body } = await send(mock, 'POST /api/stream', { name: 'before' });
  const update = { name: 'after', record: true };
  const world = await mock.world();
  await world.start(body.id);
  expect(await send(mock, `PATCH /api/stream/${body.id}`, update)).toMatchObject({ status: 400 });
  expect(world.streams()).toMatchObject([{ name: 'before', record: false }]);
  await world.stop(body.id);
  await send(mock, `PATCH /api/stream/${body.id}`, update);
  expect(world.streams()).toMatchObject([{ name: 'after', record: true }]);
});
