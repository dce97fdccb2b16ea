import { describe, expect, test } from 'vitest';
import { writeBehaviours } from '../../interface/dialect.ts';
import { samplesOf } from '../../interface/samples.test-support.ts';
import { type Behaviours, type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import { type Client, clientOf, type JsonObject } from '../http/dialect.test-support.ts';

/** Sends what shows a row, and returns what a client sees of it: equal for equal values alone. */
type Look = (client: Client) => Promise<unknown>;

const origin = 'http://page.test';
const asked = 'x-trace';
const preflight = {
  authorization: null,
  headers: {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': asked,
  },
};

async function create({ send }: Client, fields: object = {}): Promise<JsonObject> {
  return (await send('POST /api/stream', { name: 'Harbour', ...fields })).json;
}

/** A stream with two sessions: the first is recorded and ready, the second not recorded. */
async function makeSessions(client: Client): Promise<string> {
  const { id } = await client.world.createStream({ name: 'Harbour', record: true });
  await client.world.start(id, { duration: 5 });
  client.world.clock.advance('1m');
  await client.world.setRecord(id, false);
  await client.world.start(id, { duration: 5 });
  client.world.clock.advance('1m');
  return id;
}

async function makeWaiting({ world }: Client): Promise<string> {
  const { id } = await world.createStream({ name: 'Harbour', record: true });
  return (await world.start(id, { duration: 5 })).id;
}

const paths = (id: string) => ['/api/stream', `/api/stream/${id}/sessions`, '/api/session'];

async function headersOf({ send }: Client, line: string, parts: object = {}, names: string[] = []) {
  const { status, headers } = await send(line, undefined, parts);
  return [status, ...names.map((name) => headers.get(name))];
}

/** What is seen of lists with so many records. */
async function seenLists(client: Client, count: number, query = ''): Promise<unknown> {
  const { id } = await client.world.createStream({ name: 'first', record: true });
  for (let made = 1; made < count; made += 1) {
    client.world.clock.advance('1s');
    await client.world.createStream({ name: `stream ${made}` });
  }
  for (let made = 0; made < count; made += 1) {
    await client.world.start(id, { duration: 1 });
    client.world.clock.advance('10s');
  }
  return Promise.all(
    paths(id).map(async (path) => {
      const { json, headers } = await client.send(`GET ${path}${query}`);
      const list = json as unknown as JsonObject[];
      const times = list.map(({ createdAt }) => Number(createdAt));
      const next = headers.get('link') ?? headers.get('x-next-cursor');
      const isRising = Number(times[0]) < Number(times[1]);
      return [list.length, isRising, next?.replace(/^.*cursor=(\w+).*$/, '$1')];
    }),
  );
}

/** At which of some moments each list has a session, which ends at the second. */
async function seenTimeline(client: Client): Promise<unknown> {
  const { world, list } = client;
  const { id } = await world.createStream({ name: 'Harbour', record: true });
  const session = await world.start(id);
  const seen: unknown[] = [];
  const look = async () => {
    const lengths = await Promise.all(
      paths(id)
        .slice(1)
        .map(async (path) => (await list(path)).length),
    );
    const { json } = await client.send(`GET /api/session/${session.id}`);
    seen.push(lengths, json['recordingStatus'], 'recordingUrl' in json);
  };
  await look();
  await world.stop(id);
  for (const step of [0, 500, 500, 4_000]) {
    world.clock.advance(step);
    await look();
  }
  return seen;
}

async function seenSessions(client: Client): Promise<unknown> {
  const id = await makeSessions(client);
  const list = await client.list(`/api/stream/${id}/sessions`);
  return list.map((session) =>
    Object.entries(session)
      .filter(([key]) => !['id', 'parentId', 'playbackId', 'streamKey', 'createdAt'].includes(key))
      .map(([key, value]) => [
        key,
        value === null ? 'null' : typeof value,
        key === 'recordingStatus' && value,
      ]),
  );
}

async function seenStream(client: Client): Promise<unknown> {
  const created = await client.send('POST /api/stream', { name: 'Harbour' });
  const { record, profiles } = created.json;
  const types = Object.entries(created.json).map(([key, value]) => [
    key,
    value === null ? 'null' : typeof value,
  ]);
  return [
    types,
    record,
    profiles,
    created.headers.has('location'),
    created.headers.get('content-type'),
  ];
}

async function seenChanges(client: Client): Promise<unknown> {
  const { id } = await client.world.createStream({ name: 'Harbour' });
  const lines = [
    `DELETE /api/stream/${id}/terminate`,
    `PATCH /api/stream/${id}`,
    `DELETE /api/stream/${id}`,
  ];
  const seen: unknown[] = [];
  for (const line of lines) {
    const { status, json } = await client.send(
      line,
      line.startsWith('PATCH') ? { name: 'Quay' } : undefined,
    );
    seen.push(status, json['id'] === id, Object.keys(json).length);
  }
  return seen;
}

const corsHeaders = [
  'allow-origin',
  'expose-headers',
  'allow-headers',
  'allow-methods',
  'max-age',
].map((name) => `access-control-${name}`);

async function seenCors(client: Client): Promise<unknown> {
  return [
    await headersOf(client, 'GET /api/stream', { headers: { origin } }, corsHeaders),
    await headersOf(client, 'OPTIONS /api/stream', preflight, corsHeaders),
  ];
}

async function seenMethods(client: Client): Promise<unknown> {
  return [
    await headersOf(client, 'HEAD /api/stream'),
    await headersOf(client, 'OPTIONS /api/stream', { authorization: null }, ['allow']),
    await headersOf(client, 'OPTIONS /api/nowhere', { authorization: null }),
    await headersOf(client, 'PUT /api/stream', {}, ['allow', 'x-powered-by', 'cache-control']),
    await headersOf(client, 'GET /api/stream', { authorization: null }, ['www-authenticate']),
  ];
}

async function seenEtag(client: Client): Promise<unknown> {
  const { headers } = await client.send('GET /api/stream');
  const etag = headers.get('etag');
  const again = { headers: { 'if-none-match': etag ?? '"none"' } };
  return [etag !== null, (await client.send('GET /api/stream', undefined, again)).status];
}

/** What is seen of a row: no two of its values look alike. */
const looks: Readonly<Record<RowId, Look>> = {
  'create.location': seenStream,
  'record.default': seenStream,
  'profiles.default': async (client) => {
    const creations = [{}, { profiles: [] }, { profiles: null }].map((fields) =>
      create(client, fields),
    );
    return (await Promise.all(creations)).map(
      (stream) => stream['profiles'] ?? ('profiles' in stream && null),
    );
  },
  'profiles.of-session': seenSessions,
  'stream.record': seenStream,
  'stream.further-keys': seenStream,
  'session.further-keys': seenSessions,
  'session.mp4Url': seenSessions,
  'keys.spelling': async (client) => [await seenStream(client), await spelledSession(client)],
  'answer.shows': seenChanges,
  'answer.wrapped': async (client) => {
    const id = await makeSessions(client);
    const [session] = client.world.sessions(id);
    const lines = [...paths(id), `/api/stream/${id}`, `/api/session/${session?.id}`];
    return Promise.all(
      lines.map(async (line) => Object.keys((await client.send(`GET ${line}`)).json)[0]),
    );
  },
  'delete.leaves': async (client) => {
    const session = await makeWaiting(client);
    const [{ parentId } = { parentId: '' }] = client.world.sessions();
    await client.send(`DELETE /api/stream/${parentId}`);
    return (await client.send(`GET /api/session/${session}`)).status;
  },
  'list.page-size': (client) => seenLists(client, 7),
  'list.order': (client) => seenLists(client, 2),
  'list.next': async (client) => {
    await seenLists(client, 3);
    const { headers } = await client.send('GET /api/stream?limit=2');
    return [headers.has('link'), headers.has('x-next-cursor')];
  },
  'list.cursor': (client) => seenLists(client, 3, '?limit=2'),
  'list.full-last-page': (client) => seenLists(client, 2, '?limit=2'),
  'list.sessions-among-streams': async (client) => {
    const id = await makeSessions(client);
    const own = new Set(client.world.sessions(id).map((session) => session.id));
    const list = await client.list('/api/stream');
    const read = await Promise.all(
      list.map(async (one) => (await client.send(`GET /api/stream/${one['id']}`)).status),
    );
    return [list.map((one) => [one['parentId'] === id, own.has(String(one['id']))]), read];
  },
  'list.record': async (client) => {
    const path = `/api/stream/${await makeSessions(client)}/sessions`;
    const queries = ['', '?record=0', '?record=true', '?record=maybe', '?record='];
    const listed = queries.map((query) => client.list(`${path}${query}`));
    return (await Promise.all(listed)).map((list) => list.map(({ record }) => record));
  },
  'sessions.appear': seenTimeline,
  'sessions.status-before-ready': seenTimeline,
  'sessions.addresses-before-ready': seenTimeline,
  'sessions.status-unrecorded': seenSessions,
  'time.ready': seenTimeline,
  'time.listed': seenTimeline,
  'http.json-type': seenStream,
  'http.headers': seenMethods,
  'http.head': seenMethods,
  'http.options': seenMethods,
  'http.etag': seenEtag,
  'http.allow': seenMethods,
  'auth.challenge': seenMethods,
  'cors.origins': seenCors,
  'cors.exposed-headers': seenCors,
  'cors.allowed-headers': seenCors,
  'cors.allowed-methods': seenCors,
  'cors.max-age': seenCors,
};

async function spelledSession(client: Client): Promise<unknown> {
  const id = await makeSessions(client);
  return (await client.list(`/api/stream/${id}/sessions`)).map((session) => Object.keys(session));
}

/** Cells without which a row is not seen: null for profiles is refused without a dialect. */
const refusals = { createStream: { 'field:profiles:null': 'kept' } } as const;

describe.each(rowIds)('the row %s', (id) => {
  test('shows another thing for each value', async () => {
    const { default: usual, each } = rowOf(id);
    const values = samplesOf(id).map((value) =>
      each ? { ...(usual as object), ...(value as object) } : value,
    );
    const seen: string[] = [];
    for (const value of values) {
      const behaviours = writeBehaviours({ [id]: value } as Partial<Behaviours>);
      const client = await clientOf({ behaviours, refusals }, { now: () => Date.UTC(2026, 0, 1) });
      seen.push(JSON.stringify(await looks[id](client)));
    }
    expect(new Set(seen).size).toBe(values.length);
  });
});
