import { expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { createMock, type Mock } from '../mock.ts';
import { clientOf } from './dialect.test-support.ts';
import { testKey, testRequest } from './request.test-support.ts';

type Behaviours = NonNullable<Dialect['behaviours']>;

interface Listed {
  readonly id: string;
  readonly parentId?: string;
  readonly createdAt: number;
  readonly record: boolean;
}

const mock = createMock();
const made = await makeSessions();
const [harbour = '', bridge = ''] = new Set(made.map(({ parentId }) => parentId));

/** Two streams with seven sessions each. Five sessions of one are recorded, and two of the other. */
async function makeSessions(): Promise<Required<Listed>[]> {
  const world = await mock.world(testKey);
  const sessions: Required<Listed>[] = [];
  const streams = [
    { stream: await world.createStream({ name: 'harbour' }), records: [1, 1, 0, 1, 0, 1, 1] },
    { stream: await world.createStream({ name: 'bridge' }), records: [0, 1, 0, 0, 1, 0, 0] },
  ];
  for (let round = 0; round < 7; round++) {
    for (const { stream, records } of streams) {
      await world.setRecord(stream.id, records[round] === 1);
      sessions.push(await world.start(stream.id, { duration: 5 }));
      world.clock.advance('1h');
    }
  }
  return sessions;
}

/** The ids of the sessions that a list should show, newest first. */
function expected(keep: (session: Required<Listed>) => boolean): string[] {
  const newestFirst = made.filter(keep).reverse();
  return newestFirst.map(({ id }) => id);
}

async function get(path: string, { fetch }: Mock = mock): Promise<[Listed[], string | null]> {
  const response = await fetch(testRequest(`GET ${path}`));
  expect(response.status).toBe(200);
  return [(await response.json()) as Listed[], response.headers.get('link')];
}

async function idsAt(path: string): Promise<string[]> {
  const [list] = await get(path);
  return list.map(({ id }) => id);
}

/** Follows the links of a list to the end. Returns the pages, and the addresses of the links. */
async function walk(path: string): Promise<{ pages: string[][]; links: URL[] }> {
  const [list, link] = await get(path);
  const page = list.map(({ id }) => id);
  if (link === null) return { pages: [page], links: [] };
  const url = new URL(/^<(http:[^<>]+)>; rel="next"$/.exec(link)?.[1] ?? link);
  const { pages, links } = await walk(url.pathname + url.search);
  return { pages: [page, ...pages], links: [url, ...links] };
}

test.each([
  ['record=1', [true]],
  ['record=false', [false]],
  ['', [true, false]],
  ['record=yes', [true, false]],
])('?%s keeps the sessions whose record is one of %j, newest first', async (query, records) => {
  const matches = ({ record }: Listed) => records.includes(record);
  expect(await idsAt(`/api/session?${query}`)).toEqual(expected(matches));
  for (const parent of [harbour, bridge]) {
    const own = expected((session) => session.parentId === parent && matches(session));
    expect(own.length).toBeGreaterThan(1);
    expect(await idsAt(`/api/stream/${parent}/sessions?${query}`)).toEqual(own);
    expect(await idsAt(`/api/session?parentId=${parent}&${query}`)).toEqual(own);
  }
});

test('an unknown parent has no sessions', async () => {
  expect(await idsAt('/api/session?parentId=nobody')).toEqual([]);
  expect(await idsAt(`/api/session?parentId=${made[0]?.id}`)).toEqual([]);
});

const recorded = ({ record }: Listed): boolean => record;

test.each([
  [
    'the recorded sessions of a stream',
    `/api/stream/${harbour}/sessions?record=1&limit=2`,
    expected((session) => session.parentId === harbour && recorded(session)),
    { record: '1', limit: '2' },
    [2, 2, 1],
  ],
  [
    'the other sessions of a stream',
    `/api/session?parentId=${bridge}&record=0&limit=3`,
    expected((session) => session.parentId === bridge && !recorded(session)),
    { parentId: bridge, record: '0', limit: '3' },
    [3, 2],
  ],
  ['the streams', '/api/stream?limit=1', [bridge, harbour], { limit: '1' }, [1, 1, 0]],
])('following the links shows %s once each', async (_, path, ids, kept, sizes) => {
  const { pages, links } = await walk(path);
  expect(pages.flat()).toEqual(ids);
  expect(pages.map(({ length }) => length)).toEqual(sizes);
  for (const { origin, searchParams } of links) {
    expect(origin).toBe('http://livestream.test');
    expect(Object.fromEntries(searchParams)).toEqual({ ...kept, cursor: expect.any(String) });
  }
});

test('a page has 100 entries by default and up to 1000', async () => {
  const crowded = createMock({ world: 'crowded', streams: 1001 });
  for (const path of ['/api/stream', '/api/session']) {
    const [usual, link] = await get(path, crowded);
    expect([usual.length, link]).toEqual([100, expect.stringContaining('cursor=')]);
    const [largest] = await get(`${path}?limit=1000`, crowded);
    expect(largest).toHaveLength(1000);
    expect(largest.slice(0, 100)).toEqual(usual);
  }
});

test.each([
  ['order', Array(11).fill('name-true').join()],
  ['filters', JSON.stringify(Array(11).fill({ id: 'name', value: 'a' }))],
])('%s by more than ten fields is refused', async (name, value) => {
  const query = new URLSearchParams({ [name]: value });
  const response = await mock.fetch(testRequest(`GET /api/stream?${query}`));
  expect([response.status, (await response.json()).errors[0]]).toEqual([
    422,
    expect.stringMatching(new RegExp(`^query ${name}: expected .*up to 10`)),
  ]);
});

test('a filter finds streams by part of their name, and sessions by an address', async () => {
  const filter = (id: string, value: string) =>
    `filters=${encodeURIComponent(JSON.stringify([{ id, value }]))}`;
  expect(await idsAt(`/api/stream?${filter('name', 'BOUR')}`)).toEqual([harbour]);
  const { id = '' } = made.find(recorded) ?? {};
  const url = `http://livestream.test/recordings/${id}/index.m3u8`;
  expect(await idsAt(`/api/session?${filter('recordingUrl', url)}`)).toEqual([id]);
});

/** A client of a mock with three streams, each of which has had a session. */
async function threeStreams(behaviours: Behaviours) {
  const client = await clientOf({ behaviours });
  for (const name of ['Bay', 'Bridge', 'Harbour']) {
    const { id } = await client.world.createStream({ name });
    client.world.clock.advance('1m');
    await client.world.start(id, { duration: 5 });
    client.world.clock.advance('1m');
  }
  /** Reads a page with one record, and the query parameter that leads to the next. */
  const page = async (path: string, cursor = '') => {
    const { headers, json } = await client.send(`GET ${path}&limit=1${cursor}`);
    const next = headers.get('x-next-cursor');
    const [first] = json as unknown as [{ id: string; name: string }];
    return { first, next: `&cursor=${next}` };
  };
  return { ...client, page };
}

const inHeader = { 'list.next': { listStreams: 'x-next-cursor' } } as const;

test.each([
  [
    'was live last',
    { 'list.order': { listStreams: 'last-seen-first' } },
    '',
    ['Harbour', 'Bridge'],
  ],
  ['is first by name', {}, '&order=name-false', ['Bay', 'Bridge']],
  ['was created last', {}, '', ['Harbour', 'Bridge']],
] as const)(
  'after the stream that %s, a page goes on although others came first',
  async (...given) => {
    const [, order, query, expected] = given;
    const { world, page } = await threeStreams({ ...inHeader, ...order });
    const path = `/api/stream?${query}`;
    const { first, next } = await page(path);
    for (const name of ['Abbey', 'Alley']) {
      const { id } = await world.createStream({ name });
      await world.start(id);
    }
    await world.deleteStream(first.id);
    const { first: second } = await page(path, next);
    expect([first.name, second.name]).toEqual(expected);
  },
);

test('a page of streams among sessions goes on although an older one of the same time went', async () => {
  const { world, page } = await threeStreams({
    ...inHeader,
    'list.sessions-among-streams': 'sessions',
  });
  const [oldest] = [
    await world.createStream({ name: 'first' }),
    await world.createStream({ name: 'second' }),
    await world.createStream({ name: 'third' }),
  ];
  const { first, next } = await page('/api/stream?');
  await world.deleteStream(oldest.id);
  const { first: second } = await page('/api/stream?', next);
  expect([first.name, second.name]).toEqual(['third', 'second']);
});

test.each(['k', 'kWzFd', 'kW251bGxd', 'knot-json'])(
  'the cursor %s, which no page returned, is refused',
  async (cursor) => {
    const { send } = await threeStreams({});
    const { status } = await send(`GET /api/stream?order=name-true&cursor=${cursor}`);
    expect(status).toBe(422);
  },
);

test('a list without pages shows everything, and points nowhere', async () => {
  const behaviours = { 'list.page-size': { listStreams: 'all' } } as const;
  const errors = { listStreams: { 'query:limit': { given: 'dropped' } } } as const;
  const { send, list, world } = await clientOf({ behaviours, errors });
  const inputs = Array.from({ length: 172 }, (_, index) => ({ name: `camera ${index}` }));
  for (const input of inputs) await world.createStream(input);
  for (const path of ['/api/stream', '/api/stream?limit=2']) {
    expect(await list(path)).toHaveLength(172);
    expect((await send(`GET ${path}`)).headers.get('link')).toBeNull();
  }
});

test('a cursor may be a word and the number of items before the page', async () => {
  const behaviours = {
    'list.cursor': { prefix: 'skip' },
    'list.page-size': { listStreams: 2 },
  } as const;
  const { send, list, world } = await clientOf({ behaviours });
  for (const name of ['a', 'b', 'c']) await world.createStream({ name });
  expect((await send('GET /api/stream')).headers.get('link')).toContain('cursor=skip2');
  expect(await list('/api/stream?cursor=skip2')).toMatchObject([{ name: 'a' }]);
  expect((await send('GET /api/stream?cursor=2')).status).toBe(422);
});
