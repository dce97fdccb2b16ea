import { expect, test } from 'vitest';
import { RawHeaders } from '../adapters/node/request-listener.ts';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { createJournal, createJournalRoom } from './journal.ts';

const messages = {
  startedAt: 0,
  at: 0,
  operation: undefined,
  fault: undefined,
  request: new Request('http://mock.test/'),
  body: undefined,
  response: { status: 200, headers: {}, body: null },
};

test('a journal holds each request and its response', async () => {
  const mock = createMock();
  const world = await mock.world(testKey);
  await mock.fetch(testRequest('POST /api/stream', { body: '{"name":"Harbour camera"}' }));
  await mock.fetch(testRequest('GET /api/nowhere'));
  expect(world.requests()).toEqual([
    {
      number: 1,
      startedAt: world.clock.now(),
      at: world.clock.now(),
      operation: 'createStream',
      request: {
        method: 'POST',
        url: 'http://livestream.test/api/stream',
        headers: expect.objectContaining({ authorization: 'Bearer [API key]' }),
        body: '{"name":"Harbour camera"}',
      },
      response: {
        status: 201,
        headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
        body: expect.stringContaining('"name":"Harbour camera"'),
      },
    },
    expect.objectContaining({ number: 2, response: expect.objectContaining({ status: 404 }) }),
  ]);
});

test('a request without an accepted key is in the journal of the mock’s first key', async () => {
  const mock = createMock();
  const authorization = 'Bearer a-key-of-something-else';
  await mock.fetch(testRequest('GET /api/stream', { headers: { authorization } }));
  const requests = (await mock.world()).requests();
  expect(requests).toMatchObject([{ operation: 'listStreams', response: { status: 401 } }]);
  expect(JSON.stringify(requests)).not.toContain('a-key-of');
});

test('accepted keys are replaced in headers, URL, body and response', async () => {
  const mock = createMock({ apiKeys: ['given-first', 'given-second'] });
  const body = JSON.stringify({ name: 'given-second' });
  const authorization = 'Bearer given-second';
  await mock.fetch(testRequest('POST /api/stream?key=given-first', { authorization, body }));
  const requests = (await mock.world('given-second')).requests();
  expect(JSON.stringify(requests)).not.toContain('given-');
  expect(requests[0]?.request.url).toContain('?key=[API key]');
});

test('media is kept without its bytes, and requests to the control API are not kept', async () => {
  const mock = createMock({ recordingDelay: 0 });
  const world = await mock.world(testKey);
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const session = await world.start(id, { duration: 4 });
  await mock.fetch(testRequest('POST /_mock/clock', { body: '{"advance":"1s"}' }));
  await mock.fetch(new Request(`${session.mp4URL}?key=${testKey}`));
  expect(world.requests()).toMatchObject([
    { operation: 'recordingMp4', response: { status: 200 } },
  ]);
  expect(world.requests()[0]?.request.url).toBe(`${session.mp4URL}?key=[API key]`);
  expect(world.requests()[0]?.response).not.toHaveProperty('body');
});

test('a journal holds the last 1,000 exchanges', async () => {
  const mock = createMock();
  for (let count = 0; count < 1_003; count++) await mock.fetch(testRequest('GET /api/stream'));
  const requests = (await mock.world(testKey)).requests();
  expect(requests).toHaveLength(1_000);
  expect(requests.at(0)?.number).toBe(4);
  expect(requests.at(-1)?.number).toBe(1_003);
});

test('when the common room is full, the largest journal drops its oldest exchanges', () => {
  const room = createJournalRoom(60_000);
  const busy = createJournal(room, []);
  const quiet = createJournal(room, []);
  const large = { ...messages, response: { status: 200, headers: {}, body: ['x'.repeat(1_000)] } };
  for (let count = 0; count < 5; count++) quiet.add(large);
  for (let count = 0; count < 50; count++) busy.add(large);
  expect(quiet.exchanges()).toHaveLength(5);
  expect(busy.exchanges().length).toBeLessThan(20);
  expect(busy.exchanges().at(-1)?.number).toBe(50);
  busy.clear();
  quiet.clear();
  expect(room.freeBytes).toBe(60_000);
  busy.close();
  expect(room.journals.size).toBe(1);
});

const long = 'x'.repeat(100_000);
const raw = { value: new RawHeaders(['long', long]) };
test.each([
  { part: 'a URL', change: { request: new Request(`http://mock.test/${long}`) } },
  {
    part: 'a header',
    change: { request: new Request('http://mock.test/', { headers: { long } }) },
  },
  {
    part: 'a header as Node received it',
    change: { request: Object.defineProperty(new Request('http://mock.test/'), 'headers', raw) },
  },
  { part: 'a body', change: { response: { ...messages.response, body: [long] } } },
])('$part takes room by its length', ({ change }) => {
  const room = createJournalRoom(250_000);
  const journal = createJournal(room, []);
  for (let count = 0; count < 5; count++) journal.add({ ...messages, ...change });
  expect(journal.exchanges().length).toBeLessThan(3);
});

test('an imported exchange takes room by its length', () => {
  const journal = createJournal(createJournalRoom(250_000), []);
  const request = { method: 'GET', url: 'http://mock.test/', headers: {}, body: long };
  const imported = {
    number: 1,
    startedAt: 0,
    at: 0,
    request,
    response: { status: 200, headers: {} },
  };
  journal.replace(Array.from({ length: 5 }, () => imported));
  expect(journal.exchanges()).toHaveLength(1);
});

test('a body that is not UTF-8 is left out', async () => {
  const mock = createMock();
  await mock.fetch(testRequest('POST /api/stream', { body: new Uint8Array([0xff, 0xfe, 0]) }));
  const [exchange] = (await mock.world(testKey)).requests();
  expect(exchange?.request).not.toHaveProperty('body');
});
