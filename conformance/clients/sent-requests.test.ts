import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import { tallySentRequests } from './sent-requests.ts';

const authorization = 'Bearer test-demo';
const json = { authorization, 'content-type': 'application/json' };

/** What is noted of an app that sends these requests. */
async function notesOf(...requests: readonly [line: string, init?: RequestInit][]) {
  const mock = createMock({ world: 'demo' });
  for (const [line, init] of requests) {
    const [method = '', path = ''] = line.split(' ');
    await mock.fetch(new Request(`http://a.test${path}`, { method, headers: json, ...init }));
  }
  const sent = tallySentRequests();
  for (const exchange of (await mock.world()).requests()) sent.add(exchange, true);
  return sent.read();
}

const created: [string, RequestInit] = ['POST /api/stream', { body: '{"name":"a"}' }];

test('the stated operations that were never used are named', async () => {
  expect((await notesOf(created)).unused).toEqual([
    'PATCH /stream/{id}/record',
    'GET /stream/{parentId}/sessions',
  ]);
});

test('what the clauses describe is not noted', async () => {
  const body = '{"name":"a","profiles":[{"name":"720p","bitrate":1,"fps":1,"width":1,"height":1}]}';
  const { undescribed, refused } = await notesOf(
    ['POST /api/stream', { body }],
    ['GET /api/stream'],
    ['GET /api/stream/unknown/sessions?record=1'],
  );
  expect(undescribed).toEqual([]);
  expect(refused).toMatchObject([
    { times: 1, text: expect.stringMatching(/^GET .*sessions: 404/) },
  ]);
});

test.each<[line: string, init: RequestInit, note: string]>([
  ['GET /api/user/7', {}, 'GET /api/user/7: no such operation'],
  [
    'GET /api/user/6c1f6d1e-8a53-4d2e-9a4e-0f3c6e0b3c11',
    {},
    'GET /api/user/{id}: no such operation',
  ],
  ['DELETE /api/stream/7', {}, 'DELETE /stream/{id}: no clause names it'],
  ['GET /api/stream?limit=2', {}, 'GET /stream: the query parameter limit'],
  [
    'GET /api/stream/7/sessions?record=true',
    {},
    'GET /stream/{parentId}/sessions: the query parameter record=true',
  ],
  ['POST /api/stream', { body: '{"name":"a","tags":[]}' }, 'POST /stream: the field tags'],
  [
    'POST /api/stream',
    { body: '{"name":"a","profiles":[{"gop":"2"}]}' },
    'POST /stream: the field profiles[].gop',
  ],
  [
    'POST /api/stream',
    { body: '{"name":"a"}', headers: { authorization, 'content-type': 'text/plain' } },
    'POST /stream: a body with the content type text/plain',
  ],
  ['GET /api/stream?key=test-demo', {}, 'GET /stream: an API key in the address'],
])('%s is noted with what no clause describes', async (line, init, note) => {
  const { undescribed } = await notesOf([line, init]);
  expect(undescribed).toContainEqual({ text: note, times: 1 });
});

test('notes are counted, and an app cannot make their number grow', async () => {
  const lines = Array.from({ length: 300 }, (_, index): [string] => [`GET /api/page-${index}`]);
  const { undescribed, total } = await notesOf(created, ...lines, ['GET /api/page-0']);
  expect(total).toBe(302);
  expect(undescribed).toHaveLength(200);
  expect(undescribed[0]).toEqual({ text: 'GET /api/page-0: no such operation', times: 2 });
});

test('what a test makes fail on purpose is not counted as refused', async () => {
  const mock = createMock({ faults: [{ effect: 'status', status: 503 }] });
  await mock.fetch(new Request('http://a.test/api/stream', { headers: json }));
  const sent = tallySentRequests();
  for (const exchange of (await mock.world()).requests()) sent.add(exchange, true);
  expect(sent.read().refused).toEqual([]);
});

test('what only a variant refuses is not the fault of the app', async () => {
  const mock = createMock({ variant: 'too-many-requests-seconds' });
  for (const _ of Array(7)) {
    await mock.fetch(new Request('http://a.test/api/stream', { headers: json }));
  }
  const sent = tallySentRequests();
  for (const exchange of (await mock.world()).requests()) sent.add(exchange, false);
  expect(sent.read()).toMatchObject({ total: 7, refused: [] });
});
