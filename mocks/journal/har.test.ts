import { createRequire } from 'node:module';
import { Ajv, type AnySchema } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { testerHeader } from '../messages/tester-request.ts';
import { createMock } from '../mock.ts';
import { archivedName, archiveOfEveryKind } from './har.test-support.ts';

const require = createRequire(import.meta.url);
/** HAR 1.2, in JSON Schema. The package has no types. */
const harSchemas: Record<string, AnySchema> = require('har-schema');

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  meta: false,
  // Dates have patterns, too, and an archive has no addresses.
  formats: { uri: (text) => URL.canParse(text), 'date-time': true, ipv4: true, ipv6: true },
});
ajv.addMetaSchema(draft06);
ajv.addSchema(Object.values(harSchemas));

test('an archive has what HAR 1.2 requires, for responses of every kind', async () => {
  const archive = await archiveOfEveryKind();
  expect(archive.log.entries.map(({ response }) => response.status)).toEqual([
    201, 204, 200, 200, 206, 415, 415, 200, 0,
  ]);
  ajv.validate('har.json', JSON.parse(JSON.stringify(archive)));
  expect(ajv.errors).toBe(null);
});

test('an entry has the parts of its URL, both bodies and their sizes', async () => {
  const { entries } = (await archiveOfEveryKind()).log;
  const text = JSON.stringify({ name: archivedName });
  expect(entries[0]).toMatchObject({
    request: {
      queryString: ['1', '2'].map((value) => ({ name: 'a', value })),
      postData: { mimeType: 'application/json', text },
      bodySize: Buffer.byteLength(text),
    },
    response: {
      content: {
        mimeType: 'application/json; charset=utf-8',
        text: expect.stringContaining(archivedName),
      },
      redirectURL: expect.stringMatching(/^http:\/\/.*\/api\/stream\/[\w-]+$/),
    },
  });
  const responses = entries.map(({ response }) => response);
  for (const { content, bodySize } of responses) {
    const size = content.text === undefined ? content.size : Buffer.byteLength(content.text);
    expect(content).toMatchObject({ size, mimeType: expect.stringMatching('.') });
    expect([size, -1]).toContain(bodySize);
  }
  const [, changed, head, , part, , , , reset] = responses;
  expect(changed).toMatchObject({ bodySize: 0, content: { mimeType: 'x-unknown' } });
  expect(head).toMatchObject({ bodySize: 0, content: { text: '' } });
  expect(part).toMatchObject({ bodySize: 100, content: { size: 100, mimeType: 'video/mp4' } });
  expect(reset).toMatchObject({ bodySize: -1, content: { size: 0 } });
});

test('a URL stays valid when a key in it is hidden, because Firefox opens no archive otherwise', async () => {
  const { entries } = (await archiveOfEveryKind()).log;
  expect(entries.map(({ request }) => request)).toContainEqual(
    expect.objectContaining({
      url: 'http://hidden-API-key.test/api/stream?key=hidden-API-key',
      queryString: [{ name: 'key', value: 'hidden-API-key' }],
    }),
  );
});

test('an entry says how long its response took, and which fault matched', async () => {
  const mock = createMock();
  const world = await mock.world(testKey);
  world.addFault({ effect: 'delay', delay: '2s' });
  const startedDateTime = new Date(world.clock.now()).toISOString();
  const response = mock.fetch(testRequest('GET /api/stream'));
  await expect.poll(() => world.faults[0]?.matched).toBe(1);
  world.clock.advance('2s');
  await response;
  expect((await world.archive()).log.entries).toMatchObject([
    { startedDateTime, time: 2_000, timings: { wait: 2_000 }, _livestream: { fault: 1 } },
  ]);
});

test('an archive says what existed before, and what a tester did between the requests', async () => {
  const mock = createMock({ world: 'demo' });
  const world = await mock.world(testKey);
  const old = world.streams().find(({ record }) => record);
  const path = `/api/stream/${old?.id}`;
  await mock.fetch(testRequest(`PATCH ${path}/record`, { body: '{"record":false}' }));
  await mock.fetch(testRequest(`PATCH ${path}`, { body: '{"name":"renamed"}' }));
  await mock.fetch(testRequest(`DELETE ${path}`));
  const { id } = await world.createStream({ name: 'arranged' });
  await world.start(id);
  await mock.fetch(testRequest('GET /api/stream'));
  await world.stop(id);
  const headers = { [testerHeader]: '1' };
  await mock.fetch(
    testRequest(`PATCH /api/stream/${id}/record`, { headers, body: '{"record":true}' }),
  );
  await mock.fetch(testRequest(`DELETE /api/stream/${id}`, { headers }));
  await mock.fetch(testRequest('POST /api/stream', { body: '{"name":"of a client"}' }));
  const { _livestream: told } = (await world.archive()).log;
  expect(told).toMatchObject({ version: 1, world: 'demo' });
  const { name } = { ...old };
  expect(told.streams).toContainEqual(expect.objectContaining({ id: old?.id, name, record: true }));
  expect(told.streams.map(({ name }) => name)).not.toContain('of a client');
  expect(told.sessions.filter(({ parentId }) => parentId === old?.id)).not.toEqual([]);
  expect(told.arranged).toMatchObject([
    { kind: 'created', after: 3, stream: { id, name: 'arranged' } },
    { kind: 'live', after: 3, streamId: id },
    { kind: 'ended', after: 4, streamId: id },
    { kind: 'switched', after: 4, streamId: id, record: true },
    { kind: 'deleted', after: 4, streamId: id },
  ]);
  await world.reset();
  expect((await world.archive()).log._livestream).toMatchObject({ streams: [], arranged: [] });
});
