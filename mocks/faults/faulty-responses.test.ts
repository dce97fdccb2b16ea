import { describe, expect, test } from 'vitest';
import { readResponse } from '../http/dialect.test-support.ts';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import type { World } from '../service/testers/world-handle.ts';
import type { Fault } from './fault.ts';

async function createFaultyMock(...faults: readonly Fault[]) {
  const mock = createMock({ faults, recordingDelay: 0 });
  /** Sends a request such as `GET /api/stream`. */
  const send = (line: string, body?: object) =>
    mock.fetch(testRequest(line, body && { body: JSON.stringify(body) }));
  return { mock, world: await mock.world(testKey), send };
}

const unavailable = { effect: 'status', status: 503 } as const;
const create = ['POST /api/stream', { name: 'Harbour camera' }] as const;

/** Waits until the world's fault has matched a number of requests. */
async function expectMatches(world: World, count: number): Promise<void> {
  await expect.poll(() => world.faults[0]?.matched).toBe(count);
}

const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

test.each<{ fault: Extract<Fault, { status: number }>; type: string | null; text: string }>([
  { fault: unavailable, type: json, text: '{"errors":["a fault responded with 503"]}' },
  { fault: { ...unavailable, retryAfter: 30, body: { code: 7 } }, type: json, text: '{"code":7}' },
  { fault: { ...unavailable, body: null }, type: json, text: 'null' },
  { fault: { ...unavailable, body: '<h1>Oops</h1>' }, type: plain, text: '<h1>Oops</h1>' },
  { fault: { effect: 'answer', status: 200, body: [] }, type: json, text: '[]' },
  { fault: { effect: 'answer', status: 500 }, type: null, text: '' },
  { fault: { effect: 'answer', status: 204, body: 'none' }, type: null, text: '' },
])('$fault responds with $text', async ({ fault, type, text }) => {
  const { send } = await createFaultyMock(fault);
  const { status, headers, ...response } = await readResponse(await send('GET /api/stream'));
  expect([status, headers.get('content-type'), response.text]).toEqual([fault.status, type, text]);
  expect(headers.get('vary')).toBe('origin');
  expect(headers.get('access-control-expose-headers')).toContain('retry-after');
  const retryAfter = 'retryAfter' in fault ? String(fault.retryAfter) : null;
  expect(headers.get('retry-after')).toBe(retryAfter);
});

test('a refusal is spoiled like any other response', async () => {
  const { send } = await createFaultyMock({ effect: 'malformed', times: 1 });
  const refusal = await send('GET /api/stream/unknown');
  expect(refusal.status).toBe(404);
  await expect(refusal.json()).rejects.toThrow(SyntaxError);
});

describe('patch', () => {
  const fields = { recordingStatus: 'failed', recordingUrl: null };

  test('replaces fields of a record, and of each record of a list', async () => {
    const { world, send } = await createFaultyMock({ effect: 'patch', fields });
    const { id } = await world.createStream({ name: 'Harbour camera', record: true });
    const sessions = [
      await world.start(id, { duration: 5 }),
      await world.start(id, { duration: 5 }),
    ];
    const list = await (await send(`GET /api/stream/${id}/sessions`)).json();
    const patched = sessions.toReversed().map((session) => ({ id: session.id, ...fields }));
    expect(list).toMatchObject(patched);
    expect(await (await send(`GET /api/session/${sessions[0]?.id}`)).json()).toMatchObject(fields);
  });

  test('replaces fields of the records that a dialect puts into an object', async () => {
    const wrapped = {
      listStreams: { data: '{result}', page: 1 },
      retrieveStream: { a: '{result}' },
    };
    const dialect = { dialect: 3, behaviours: { 'response.wrapped': wrapped } } as const;
    const mock = createMock({ dialect, faults: [{ effect: 'patch', fields: { name: 'other' } }] });
    const { id } = await (await mock.world(testKey)).createStream({ name: 'Harbour camera' });
    const read = async (path: string) => (await mock.fetch(testRequest(`GET ${path}`))).json();
    expect(await read('/api/stream')).toMatchObject({ data: [{ id, name: 'other' }], page: 1 });
    expect(await read(`/api/stream/${id}`)).toMatchObject({ a: { id, name: 'other' } });
  });

  test('leaves the world, refusals and other requests as they are', async () => {
    const fault = {
      effect: 'patch',
      operation: 'createStream',
      fields: { name: 'other' },
    } as const;
    const { world, send } = await createFaultyMock(fault);
    const created = await send(...create);
    expect(await created.json()).toMatchObject({ name: 'other' });
    expect(await (await send('GET /api/stream')).json()).toMatchObject([{ name: create[1].name }]);
    const { errors } = (await (await send('POST /api/stream', {})).json()) as { errors: string[] };
    expect(errors[0]).toContain('name');
    expect(world.streams()).toMatchObject([{ name: create[1].name }]);
  });
});

test.each<[fault: Fault, isCarriedOut: boolean]>([
  [{ effect: 'status', status: 500 }, false],
  [{ effect: 'answer', status: 201 }, false],
  [{ effect: 'reset' }, false],
  [{ effect: 'truncate' }, true],
  [{ effect: 'malformed' }, true],
  [{ effect: 'drip', bytesPerSecond: 10 }, true],
  [{ effect: 'delay', delay: 0 }, true],
])('under %o, it is %s that the request is carried out', async (fault, isCarriedOut) => {
  const { world, send } = await createFaultyMock(fault);
  await send(...create);
  expect(world.streams().length).toBe(isCarriedOut ? 1 : 0);
});

describe('a delay', () => {
  test('ends when a clock that stands still is advanced far enough', async () => {
    const { world, send } = await createFaultyMock({ effect: 'delay', delay: '10s' });
    const events: string[] = [];
    const response = send(...create).then(({ status }) => events.push(`answered ${status}`));
    for (const step of ['4s', '4s', '4s']) {
      await expectMatches(world, 1);
      events.push(`at ${step}, ${world.streams().length} streams`);
      world.clock.advance(step);
    }
    await response;
    expect(events).toEqual([...Array(3).fill('at 4s, 0 streams'), 'answered 201']);
  });

  test('is drawn between two times', async () => {
    const delay = { from: '1s', to: '2s' };
    const { world, send } = await createFaultyMock({ effect: 'delay', delay });
    const response = send('GET /api/stream');
    await expectMatches(world, 1);
    world.clock.advance(999);
    await send('GET /_mock/clock');
    expect(world.requests()).toEqual([]);
    world.clock.advance(1_001);
    expect((await response).status).toBe(200);
  });

  test('ends when the client goes away, and its request does nothing', async () => {
    const { mock, world } = await createFaultyMock({ effect: 'delay', delay: '1h' });
    const client = new AbortController();
    const request = testRequest('POST /api/stream', { body: '{"name":"a"}' });
    const response = mock.fetch(new Request(request, { signal: client.signal }));
    await expectMatches(world, 1);
    client.abort();
    expect((await response).type).toBe('error');
    expect(world.streams()).toEqual([]);
    expect(world.requests()).toMatchObject([
      { operation: 'createStream', response: { status: 0 } },
    ]);
  });
});

describe('a fault of recordings', () => {
  test.each([
    { effect: 'recording-failed', recordingStatus: 'failed' },
    { effect: 'recording-waiting', recordingStatus: 'waiting' },
  ] as const)('$effect matches sessions that end', async ({ effect, recordingStatus }) => {
    const { world } = await createFaultyMock({ effect, times: 2 });
    const { id } = await world.createStream({ name: 'recorded', record: true });
    await world.start(id);
    world.clock.advance('1m');
    await world.stop(id);
    await world.start(id, { duration: 5 });
    await world.start(id, { duration: 5 });
    world.clock.advance('1d');
    const statuses = world.sessions(id).map((session) => session.recordingStatus);
    expect(statuses).toEqual(['ready', recordingStatus, recordingStatus]);
    expect(world.sessions(id)[1]).not.toHaveProperty('recordingUrl');
    expect(world.faults).toMatchObject([{ matched: 2 }]);
  });

  test('matches no session that is not recorded or belongs to another stream', async () => {
    const { world } = await createFaultyMock();
    const { id } = await world.createStream({ name: 'one', record: true });
    world.addFault({ effect: 'recording-failed', id });
    await world.setRecord(id, false);
    await world.start(id, { duration: 5 });
    const other = await world.createStream({ name: 'other', record: true });
    expect(await world.start(other.id, { duration: 5 })).toMatchObject({
      recordingStatus: 'ready',
    });
    expect(world.faults).toMatchObject([{ matched: 0 }]);
  });
});

/** Records 20 s in a mock with a fault. Returns a function that requests a file of the recording. */
async function openRecording(fault: Fault): Promise<(file?: string) => Promise<Response>> {
  const { mock, world } = await createFaultyMock(fault);
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const { recordingUrl = '' } = await world.start(id, { duration: 20 });
  return (file = '') => mock.fetch(new Request(new URL(file, recordingUrl)));
}

test('segment-missing removes one segment and leaves the others', async () => {
  const request = await openRecording({ effect: 'segment-missing', segment: 1 });
  const playlist = await (await request()).text();
  const names = playlist.match(/^\S+\.m4s$|(?<=URI=")[^"]+/gm) ?? [];
  const responses = await Promise.all(names.map((name) => request(name)));
  const missing = names.filter((_, index) => responses[index]?.status === 404);
  expect(missing).toEqual(['source/00000001.m4s']);
  expect(names).toHaveLength(8);
});

test('playlist-endless leaves out the end tag', async () => {
  const request = await openRecording({ effect: 'playlist-endless' });
  const response = await request();
  const text = await response.text();
  expect(text).toMatch(/^#EXTM3U\n.*\.m4s\n$/s);
  expect(text).not.toContain('#EXT-X-ENDLIST');
  expect(response.headers.get('content-length')).toBe(String(text.length));
});
