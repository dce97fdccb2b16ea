import { expect, test } from 'vitest';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { serve } from '../adapters/node/node.ts';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { testerHeader } from '../messages/tester-request.ts';
import { createMock } from '../mock.ts';

interface HarEntry {
  readonly response: { readonly status: number };
}

test('an entry has what HAR 1.2 requires, for responses of every kind', async () => {
  const mock = createMock({ recordingDelay: 0 });
  const world = await mock.world(testKey);
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const { mp4URL = '' } = await world.start(id, { duration: 4 });
  const text = '{"name":"Hafenkamera Öst"}';
  const creation = await mock.fetch(testRequest('POST /api/stream?a=1&a=2', { body: text }));
  const created = await creation.text();
  await mock.fetch(testRequest(`PATCH /api/stream/${id}/record`, { body: '{"record":false}' }));
  await mock.fetch(new Request(mp4URL));
  world.addFault({ effect: 'reset' });
  await mock.fetch(testRequest('GET /api/stream'));
  const response = await mock.fetch(testRequest('GET /_mock/requests.har'));
  const { log } = await response.json();
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'livestream-mock' }, pages: [] });
  const entries: HarEntry[] = log.entries;
  expect(entries.map((entry) => entry.response.status)).toEqual([201, 204, 200, 0]);
  const message = {
    httpVersion: 'HTTP/1.1',
    headers: expect.any(Array),
    cookies: [],
    headersSize: -1,
    bodySize: expect.any(Number),
  };
  for (const entry of entries) {
    expect(entry).toMatchObject({
      startedDateTime: new Date(world.clock.now()).toISOString(),
      time: 0,
      timings: { send: 0, wait: 0, receive: 0 },
      cache: {},
      request: { ...message, method: expect.any(String), queryString: expect.any(Array) },
      response: { ...message, statusText: '', redirectURL: '' },
    });
  }
  const queryString = ['1', '2'].map((value) => ({ name: 'a', value }));
  const json = 'application/json; charset=utf-8';
  expect(entries[0]).toMatchObject({
    request: { queryString, postData: { mimeType: 'application/json', text } },
    response: { content: { mimeType: json, text: created, size: Buffer.byteLength(created) } },
  });
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

test('a browser replays the responses of a mock from its archive', async () => {
  const mock = createMock({ world: 'demo' });
  const server = await serve(mock);
  const url = `${server.baseUrl}/stream?limit=2`;
  const headers = { authorization: 'Bearer test-demo' };
  const expected = await (await fetch(url, { headers })).json();
  const archive = await fetch(`${server.controlUrl}/requests.har`, { headers });
  const file = temporaryFile('mock.har', await archive.text());
  await server.close();

  const context = await (await openBrowser()).newContext();
  await context.routeFromHAR(file, { notFound: 'abort' });
  const page = await context.newPage();
  const replayed = await page.evaluate(
    async ([address, sent]) => (await fetch(address, { headers: sent })).json(),
    [url, headers] as const,
  );
  expect(replayed).toEqual(expected);
});
