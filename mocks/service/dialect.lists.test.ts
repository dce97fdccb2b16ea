import { describe, expect, test } from 'vitest';
import { type RowId, rowOf } from '../../interface/silent.ts';
import type { UpperLimit } from '../../interface/silent-row.ts';
import { createMock } from '../mock.ts';
import {
  type Answer,
  type Client,
  clientOf,
  connect,
  type JsonObject,
  type Look,
  refusal,
  rowsBeginning,
  testLooks,
} from './dialect.test-support.ts';

/** Sends a request for a list, and looks at the list unless it is refused. */
async function look(
  { send }: Client,
  path: string,
  read: (list: JsonObject[], answer: Answer) => unknown,
): Promise<unknown> {
  const answer = await send(`GET ${path}`);
  return refusal(answer) ?? read(answer.json as unknown as JsonObject[], answer);
}

async function createStreams({ world }: Client, ...names: string[]): Promise<string[]> {
  const made: string[] = [];
  for (const name of names) {
    made.push((await world.createStream({ name, record: true })).id);
    world.clock.advance('1s');
  }
  return made;
}

/** The id of a stream with one session that is recorded and one that is not, and the path of their list. */
async function createSessions(client: Client): Promise<string> {
  const [id = ''] = await createStreams(client, 'harbour');
  await client.world.start(id, { duration: 5 });
  client.world.clock.advance('1s');
  await client.world.setRecord(id, false);
  await client.world.start(id, { duration: 5 });
  return `/api/stream/${id}/sessions`;
}

function listing(path: string, read: (list: JsonObject[], answer: Answer) => unknown): Look {
  return async (client) => {
    await createStreams(client, 'harbour', 'bridge');
    return look(client, path, read);
  };
}

function readOrder(list: JsonObject[]): string {
  const [first, second] = list.map(({ createdAt }) => Number(createdAt));
  return Number(first) > Number(second) ? 'newest-first' : 'oldest-first';
}

/** Which sessions of a stream a query shows. */
function filtering(query: string): Look {
  return async (client) => {
    const path = await createSessions(client);
    return look(client, `${path}${query}`, (list) => {
      const [first, second] = list.map(({ record }) => record);
      if (second !== undefined) return 'all';
      return first ? 'recorded' : 'unrecorded';
    });
  };
}

/** A recorded session that has ended and is not ready. */
async function readWaiting(client: Client): Promise<JsonObject> {
  const [id = ''] = await createStreams(client, 'harbour');
  const session = await client.world.start(id, { duration: 5 });
  return (await client.send(`GET /api/session/${session.id}`)).json;
}

const waits = [0, 500, 1_000, 5_000];

/** The first of {@link waits} after the end of a session at which something is true of it. */
async function firstMoment(
  client: Client,
  isTrue: (id: string, stream: string) => Promise<boolean>,
): Promise<number | undefined> {
  const [stream = ''] = await createStreams(client, 'harbour');
  const { id } = await client.world.start(stream, { duration: 5 });
  let now = 0;
  for (const moment of waits) {
    client.world.clock.advance(moment - now);
    now = moment;
    if (await isTrue(id, stream)) return moment;
  }
  return undefined;
}

async function isListed({ list }: Client, stream: string): Promise<boolean> {
  return (await list(`/api/stream/${stream}/sessions`)).length > 0;
}

/** A stream or session with each list, two of them in it, none of which is live. */
const lists = {
  listStreams: async (client) => {
    await createStreams(client, 'harbour', 'bridge');
    return '/api/stream';
  },
  listSessionsOfStream: createSessions,
  listSessions: async (client) => {
    await createSessions(client);
    return '/api/session';
  },
} as const satisfies Record<string, (client: Client) => Promise<string>>;

/** Looks at each of the lists with a query that should change it. */
function choosing(
  name: 'active' | 'order-by' | 'filters',
  query: string,
  read: (list: JsonObject[]) => 'works' | 'ignored',
): Partial<Record<RowId, Look>> {
  const entries = Object.entries(lists).map(([list, open]) => [
    `list.${name}.${list}`,
    async (client: Client) => look(client, `${await open(client)}?${query}`, read),
  ]);
  return Object.fromEntries(entries);
}

const isEmpty = ({ length }: JsonObject[]) => (length === 0 ? 'works' : 'ignored');

const looks: Partial<Record<RowId, Look>> = {
  ...choosing('active', 'active=true', isEmpty),
  ...choosing('order-by', 'order=createdAt-false', (list) =>
    readOrder(list) === 'oldest-first' ? 'works' : 'ignored',
  ),
  ...choosing('filters', 'filters=[{"id":"id","value":"none"}]', isEmpty),
  'list.limit': listing('/api/stream?limit=1', ({ length }) =>
    length === 1 ? 'works' : 'ignored',
  ),
  'list.impossible-limit': listing('/api/stream?limit=0', () => 'ignored'),
  'list.impossible-cursor': listing('/api/stream?cursor=never!', ({ length }) =>
    length === 0 ? 'empty' : 'ignored',
  ),
  'list.next': listing('/api/stream?limit=1', (_, { headers }) => {
    if (headers.has('link')) return 'link';
    return headers.has('x-next-cursor') ? 'x-next-cursor' : 'not';
  }),
  'list.full-last-page': listing('/api/stream?limit=2', (_, { headers }) =>
    headers.has('link') ? 'told' : 'not',
  ),
  'list.order': listing('/api/stream', readOrder),
  'sessions.order': async (client) => look(client, await createSessions(client), readOrder),
  'list.unknown-query.listStreams': listing('/api/stream?mood=calm', () => 'ignored'),
  'list.unknown-query.listSessions': listing('/api/session?mood=calm', () => 'ignored'),
  'list.unknown-query.listSessionsOfStream': async (client) =>
    look(client, `${await createSessions(client)}?mood=calm`, () => 'ignored'),
  'list.sessions-among-streams': async (client) => {
    await createSessions(client);
    return look(client, '/api/stream', (list) =>
      list.some((one) => 'parentId' in one) ? 'both' : 'streams',
    );
  },
  'sessions.parent-filter': async (client) => {
    const [one = '', other = ''] = await createStreams(client, 'harbour', 'bridge');
    for (const id of [one, other]) await client.world.start(id, { duration: 5 });
    return look(client, `/api/session?parentId=${one}`, ({ length }) =>
      length === 1 ? 'works' : 'ignored',
    );
  },
  'sessions.record-absent': filtering(''),
  'sessions.record-0': filtering('?record=0'),
  'sessions.record-true': filtering('?record=true'),
  'sessions.record-odd': filtering('?record=maybe'),
  'sessions.record-of-all': async (client) => {
    await createSessions(client);
    return look(client, '/api/session?record=1', ({ length }) =>
      length === 1 ? 'works' : 'ignored',
    );
  },
  'sessions.appear': async (client) => {
    const [id = ''] = await createStreams(client, 'harbour');
    await client.world.start(id);
    if (await isListed(client, id)) return 'at-start';
    await client.world.stop(id);
    if (await isListed(client, id)) return 'at-end';
    client.world.clock.advance('1s');
    return (await isListed(client, id)) && 'when-ready';
  },
  'sessions.status-before-ready': async (client) =>
    (await readWaiting(client))['recordingStatus'] ?? null,
  'sessions.addresses-before-ready': async (client) => {
    const session = await readWaiting(client);
    return 'recordingUrl' in session && 'mp4URL' in session ? 'present' : 'absent';
  },
  'sessions.status-unrecorded': async (client) => {
    const path = await createSessions(client);
    const [session] = await client.list(`${path}?record=0`);
    return session?.['recordingStatus'] ?? null;
  },
  'time.ready': (client) =>
    firstMoment(client, async (id) => {
      const { json } = await client.send(`GET /api/session/${id}`);
      return json['recordingStatus'] === 'ready';
    }),
  'time.listed': (client) => firstMoment(client, (_, stream) => isListed(client, stream)),
};

testLooks(looks);

describe.each([
  { row: 'list.page-size', path: '/api/stream' },
  { row: 'sessions.page-size', path: '/api/session' },
] as const)('$row', ({ row, path }) => {
  const crowded = { world: 'crowded', streams: 150 } as const;

  test.each([
    { value: 2, length: 2 },
    { value: 5, length: 5 },
    { value: { atLeast: 20 }, length: 100 },
    { value: { atLeast: 120 }, length: 120 },
  ])('of $value has $length', async ({ value, length }) => {
    const client = await clientOf({ [row]: value }, crowded);
    expect(await client.list(path)).toHaveLength(length);
  });

  test('is 100 without a dialect', async () => {
    expect(await (await connect(createMock(crowded))).list(path)).toHaveLength(100);
  });
});

describe('list.largest-limit', () => {
  const samples = rowOf('list.largest-limit').samples as UpperLimit[];

  test.each(samples)('is $atLeast', async (value) => {
    const { send } = await clientOf({ 'list.largest-limit': value });
    const { atLeast, below, refusal: expected } = value;
    expect((await send(`GET /api/stream?limit=${atLeast}`)).status).toBe(200);
    const { status } = await send(`GET /api/stream?limit=${below ?? 2 * atLeast}`);
    expect(status).toBe(expected?.status ?? 200);
  });

  test('is 1,000 without a dialect', async () => {
    const { send } = await connect(createMock());
    expect((await send('GET /api/stream?limit=1000')).status).toBe(200);
    expect((await send('GET /api/stream?limit=1001')).status).toBe(422);
  });
});

test('every row about lists is tested', () => {
  const rows = rowsBeginning('list.', 'sessions.', 'time.');
  const others = ['list.page-size', 'sessions.page-size', 'list.largest-limit'];
  expect([...Object.keys(looks), ...others].toSorted()).toEqual([...rows].toSorted());
});

test.each(['streams', 'both'] as const)(
  'pages of %s, oldest first, have each record once',
  async (value) => {
    const client = await clientOf({
      'list.sessions-among-streams': value,
      'list.order': 'oldest-first',
      'list.next': 'x-next-cursor',
      'list.page-size': 2,
    });
    await createSessions(client);
    await createStreams(client, 'bridge', 'quay');
    const shown: JsonObject[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = cursor && `?cursor=${cursor}`;
      const { json, headers } = await client.send(`GET /api/stream${query}`);
      shown.push(...(json as unknown as JsonObject[]));
      cursor = headers.get('x-next-cursor');
    }
    const ids = new Set(shown.map(({ id }) => id));
    expect([ids.size, shown.length]).toEqual(value === 'both' ? [5, 5] : [3, 3]);
    const moments = shown.map(({ createdAt }) => createdAt);
    expect(moments).toEqual(moments.toSorted());
  },
);

test('a session that no list shows yet is retrieved', async () => {
  const client = await clientOf({ 'sessions.appear': 'when-ready' });
  const { id } = await readWaiting(client);
  expect(id).toBeTypeOf('string');
  expect(await client.list('/api/session')).toEqual([]);
});

test('a tester sees what is usual, and a client what the dialect says', async () => {
  const { mock, world } = await clientOf({ 'sessions.status-unrecorded': 'none' });
  const { id } = await world.createStream({ name: 'harbour' });
  const session = await world.start(id, { duration: 5 });
  expect(session).not.toHaveProperty('recordingStatus');
  const { send } = await connect(mock);
  const read = async () => (await send(`GET /api/session/${session.id}`)).json;
  expect(await read()).toHaveProperty('recordingStatus', 'none');
  expect(world.sessions()[0]).toEqual(session);
  expect(await read()).toHaveProperty('recordingStatus', 'none');
});
