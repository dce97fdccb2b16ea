import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { readErrors, testRequest } from './request.test-support.ts';

const hers = { authorization: 'Bearer test-hers' };
const his = { authorization: 'Bearer test-his' };

test.each([
  ['GET', ''],
  ['DELETE', ''],
  ['PATCH', '/record'],
  ['GET', '/sessions'],
])("another key's stream is unknown: %s …%s", async (method, rest) => {
  const { fetch, world } = createMock({ world: 'demo' });
  const before = (await world('test-hers')).exportState();
  const line = `${method} /api/stream/${before.streams[0]?.id}${rest}`;
  const body = method === 'PATCH' && { body: '{"record":true}' };
  const response = await fetch(testRequest(line, { ...his, ...body }));
  expect(response.status).toBe(404);
  expect((await readErrors(response))[0]).toMatch(/^id: expected a stream of this API key, got "/);
  expect((await world('test-hers')).exportState()).toEqual(before);
});

test("another key's session is unknown", async () => {
  const { fetch, world } = createMock({ world: 'demo' });
  const id = (await world('test-hers')).sessions()[0]?.id;
  expect((await fetch(testRequest(`GET /api/session/${id}`, hers))).status).toBe(200);
  expect((await fetch(testRequest(`GET /api/session/${id}`, his))).status).toBe(404);
});

test("a new stream is in its key's list and in no other", async () => {
  const { fetch } = createMock();
  await fetch(testRequest('POST /api/stream', { ...hers, body: '{"name":"a"}' }));
  const lists = [hers, his].map(async (key) => {
    const response = await fetch(testRequest('GET /api/stream', key));
    return (await response.json()) as unknown[];
  });
  expect((await Promise.all(lists)).map(({ length }) => length)).toEqual([1, 0]);
});

/** Ids of three new streams, as a client gets them. */
async function newIds(options: MockOptions, key: string): Promise<string[]> {
  const { fetch } = createMock(options);
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const parts = { authorization: `Bearer ${key}`, body: JSON.stringify({ name }) };
    const response = await fetch(testRequest('POST /api/stream', parts));
    ids.push(((await response.json()) as { id: string }).id);
  }
  return ids;
}

test('ids are the same again for the same seed and key', async () => {
  const ids = await newIds({ seed: 7 }, 'test-a');
  expect(await newIds({ seed: '7' }, 'test-a')).toEqual(ids);
  expect(new Set(ids).size).toBe(3);
});

test('ids are others for another seed, key or world', async () => {
  const lists = [
    await newIds({ seed: 7 }, 'test-a'),
    await newIds({ seed: 8 }, 'test-a'),
    await newIds({ seed: 7 }, 'test-b'),
    await newIds({ seed: 7, world: 'demo' }, 'test-a'),
  ];
  expect(new Set(lists.flat()).size).toBe(12);
});
