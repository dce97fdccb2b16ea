import { expect, test } from 'vitest';
import type { StaticRoute } from '../../interface/dialect/dialect.ts';
import { createMock } from '../mock.ts';
import { clientOf } from './dialect.test-support.ts';
import { stateText, testRequest } from './request.test-support.ts';

test('any value of a dropped field is accepted', async () => {
  const createStream = {
    'field:record': { given: 'dropped' },
    'field:profiles[].gop': { given: 'dropped' },
  } as const;
  const { send } = await clientOf({ refusals: { fields: 412 }, errors: { createStream } });
  const profile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 };
  const profiles = [{ ...profile, gop: null }];
  const { status, json } = await send('POST /api/stream', { name: 'a', record: 'yes', profiles });
  expect([status, json]).toMatchObject([201, { record: false, profiles: [profile] }]);
});

test.each([
  ['first', 1],
  ['all', 2],
] as const)('of several errors the orders report %s', async (reported, errors) => {
  const { send } = await clientOf({ orders: { reported } });
  const { json } = await send('POST /api/stream', { name: 5, record: 5 });
  expect(json['errors']).toHaveLength(errors);
});

test.each([
  ['stream?limit=0.5', 422, expect.stringContaining('got \\"0.5\\"')],
  ['stream?limit=1.5', 200, '[]'],
  ['stream?limit=-1.5', 418, expect.anything()],
  ['session?limit=0', 200, '{"items":[]}'],
])('a limit is truncated, negative or leads to an empty list: %s', async (path, ...expected) => {
  const listStreams = { 'query:limit': { fraction: 'truncated', negative: 418 } } as const;
  const listSessions = { 'query:limit': { zero: 'empty' } } as const;
  const behaviours = { 'response.wrapped': { listSessions: { items: '{result}' } } };
  const { send } = await clientOf({ errors: { listStreams, listSessions }, behaviours });
  const { status, text } = await send(`GET /api/${path}`);
  expect([status, text]).toEqual(expected);
});

test('a session shows its parent as it is now', async () => {
  const retrieveSession = { parentStream: { name: 'text' } };
  const { send, world } = await clientOf({ behaviours: { 'keys.by-place': { retrieveSession } } });
  const { id } = await world.createStream({ name: 'Harbour' });
  const session = await world.start(id, { duration: 60 });
  const show = async () => (await send(`GET /api/session/${session.id}`)).json['parentStream'];
  expect(await show()).toEqual({ name: 'Harbour' });
  await send(`PATCH /api/stream/${id}`, { name: 'Garden' });
  expect(await show()).toEqual({ name: 'Garden' });
});

test('a response that shows a deleted stream shows it as it was', async () => {
  const behaviours = { 'response.shows': { deleteStream: 'stream' } } as const;
  const { send, world } = await clientOf({ behaviours });
  const { id } = await world.createStream({ name: 'Harbour' });
  await world.start(id);
  const { json } = await send(`GET /api/stream/${id}`);
  expect((await send(`DELETE /api/stream/${id}`)).json).toEqual(json);
});

test('a field as deep as a dialect accepts can be exported and imported', async () => {
  const createStream = { body: { deep: 'accepted' }, 'field:unknown': { given: 'kept' } } as const;
  const { send, world } = await clientOf({ errors: { createStream } });
  const body = `{"name":"a","deep":${'['.repeat(999)}${']'.repeat(999)}}`;
  expect((await send('POST /api/stream', undefined, { body })).status).toBe(201);
  const state = stateText(world.exportState());
  expect((await send('PUT /_mock/state', undefined, { body: state })).status).toBe(204);
});

test('a dialect leads from no misspelled path to the control API', async () => {
  const { fetch } = createMock({ prefix: '/', dialect: { dialect: 3, refusalBody: 'empty' } });
  expect((await fetch(testRequest('GET //_mock/clock'))).status).toBe(404);
});

test.each([
  ['doubled-slash', [200, 404, 404]],
  ['doubled-slash:inside', [404, 200, 200]],
] as const)('a slash may be doubled where a dialect accepts it: %s', async (error, statuses) => {
  const { send, world } = await clientOf({
    errors: { everyOperation: { path: { [error]: 'accepted' } } },
  });
  const { id } = await world.createStream({ name: 'Harbour' });
  const paths = [
    `/api//stream/${id}/sessions`,
    `/api/stream//${id}/sessions`,
    `/api/stream/${id}//sessions`,
  ];
  const sent = await Promise.all(paths.map((path) => send(`GET ${path}`)));
  expect(sent.map(({ status }) => status)).toEqual(statuses);
});

const routes: readonly StaticRoute[] = [
  { method: 'GET', path: '/user/me', status: 200, json: { email: 'text' } },
  { method: 'GET', path: '/asset/{id}', status: 200, type: 'application/vnd.a+json', json: [] },
  { method: 'POST', path: '/webhook', status: 201, text: 'made' },
  { method: 'GET', path: '/stream', status: 500 },
  { method: 'DELETE', path: '/stream', status: 422 },
];

test('a dialect has static routes at paths that the interface lacks, and the journal marks them', async () => {
  const { send, world } = await clientOf({ routes });
  const me = await send('GET /api/user/me');
  expect([me.status, me.json]).toEqual([200, { email: 'text' }]);
  const asset = await send('GET /api/asset/17');
  expect([asset.text, asset.headers.get('content-type')]).toEqual(['[]', 'application/vnd.a+json']);
  expect((await send('POST /api/webhook', {})).text).toBe('made');
  expect((await send('HEAD /api/user/me')).status).toBe(200);
  expect((await send('GET /api/asset/17/more')).status).toBe(404);
  const marks = world.requests().map((exchange) => exchange.static);
  expect(marks).toEqual([true, true, true, true, undefined]);
});

test.each([
  ['DELETE /api/stream/{id}', { 'response.shows': { deleteStream: { status: 204, json: {} } } }],
  ['DELETE /api/webhook', {}],
] as const)(
  'a dialect that gives a 204 a body is answered with none: %s',
  async (line, behaviours) => {
    const route = { method: 'DELETE', path: '/webhook', status: 204, json: {} } as const;
    const { send, world } = await clientOf({ behaviours, routes: [route] });
    const { id } = await world.createStream({ name: 'Harbour' });
    const { status, text, headers } = await send(line.replace('{id}', id));
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
  },
);

test('the interface comes before static routes, which need a key like other paths', async () => {
  const { send } = await clientOf({ routes });
  expect((await send('GET /api/stream')).status).toBe(200);
  expect((await send('DELETE /api/stream')).status).toBe(422);
  for (const authorization of [null, 'Basic x'])
    expect((await send('GET /api/user/me', undefined, { authorization })).status).toBe(401);
});

test('a dialect has routes at the origin, which need no key and never take the place of the mock itself', async () => {
  const paths = ['!/healthz', '!/', '!/_mock/clock', '!/openapi.json', '!/api/user'];
  const atOrigin = paths.map((path) => ({ method: 'GET', path, status: 299 }) as const);
  const { send } = await clientOf({ routes: atOrigin, refusalBody: 'empty' });
  const statusOf = async (line: string) =>
    (await send(line, undefined, { authorization: null })).status;
  expect(await statusOf('GET /healthz')).toBe(299);
  expect(await statusOf('HEAD /healthz')).toBe(299);
  expect(await statusOf('GET /')).toBe(299);
  expect(await statusOf('POST /healthz')).toBe(404);
  expect(await statusOf('GET /_mock/clock')).toBe(401);
  expect(await statusOf('GET /openapi.json')).toBe(200);
  // The dialect is about the service, and not about what else the mock lacks.
  expect((await send('GET /nothing')).json).toMatchObject({ errors: [expect.any(String)] });
});

test.each([
  [{ method: 'GET', path: '/../secret', status: 200 }, 'a path such as /user/{id}'],
  [{ method: 'GET', path: '!/../secret', status: 200 }, 'a path such as /user/{id}'],
  [{ method: 'POST', path: '!/healthz', status: 200 }, 'GET for a path outside the base URL'],
  [
    { method: 'GET', path: '/a', status: 200, headers: { 'set-cookie': 'a=b' } },
    'an object with method',
  ],
  [{ method: 'GET', path: '/a', status: 99 }, 'status from 200 to 599'],
])('an invalid route is refused: %j', async (route, message) => {
  await expect(clientOf({ routes: [route as never] })).rejects.toThrow(message);
});

test('a dialect knows a content type in any letter case, and both byte orders of UTF-16', async () => {
  const createStream = { body: { blank: 418, 'charset:utf-16': 'accepted' } } as const;
  const { send } = await clientOf({ errors: { createStream } });
  const body = new Uint8Array(Buffer.from('{"name":"a"}', 'utf16le').swap16());
  const wide = { body, type: 'application/json; charset=utf-16be' };
  expect((await send('POST /api/stream', undefined, wide)).json).toMatchObject({ name: 'a' });
  const blank = { type: 'Application/JSON' };
  expect((await send('POST /api/stream', undefined, blank)).status).toBe(418);
});

test.each([
  ['byte-order-mark', 418, 'utf8', 418],
  ['byte-order-mark:utf-16', 'accepted', 'utf16le', 201],
] as const)(
  'a byte order mark is handled as a dialect says: %s',
  async (error, cell, encoding, status) => {
    const { send } = await clientOf({ errors: { createStream: { body: { [error]: cell } } } });
    const body = new Uint8Array(Buffer.from('\ufeff{"name":"a"}', encoding));
    expect((await send('POST /api/stream', undefined, { body })).status).toBe(status);
  },
);

test('a body of 1 MB is kept if a dialect accepts it', async () => {
  const createStream = { body: { large: 'accepted' }, 'field:name': { large: 'kept' } } as const;
  const { send, world } = await clientOf({ errors: { createStream } });
  const name = 'x'.repeat(1024 ** 2);
  expect((await send('POST /api/stream', { name })).json).toMatchObject({ name });
  const body = stateText(world.exportState());
  expect((await send('PUT /_mock/state', undefined, { body })).status).toBe(204);
});

test('the default profiles of a stream may have the frame rate of the source', async () => {
  const omitted = [{ name: '240p0', bitrate: 250_000, fps: 0, width: 426, height: 240 }];
  const { send } = await clientOf({ behaviours: { 'profiles.default': { omitted } } });
  const { json } = await send('POST /api/stream', { name: 'a' });
  expect(json['profiles']).toEqual(omitted);
});

test.each([
  ['PATCH', {}, 400],
  ['DELETE', {}, 400],
  ['PATCH', { updateStream: { id: { malformed: 410 } } }, 410],
] as const)(
  'a %s with an id that cannot be decoded is answered as a GET, unless %j says otherwise',
  async (method, own, status) => {
    const errors = { retrieveStream: { id: { percent: 400 } }, ...own };
    const { send } = await clientOf({ errors });
    const body = method === 'PATCH' ? { name: 'a' } : undefined;
    expect((await send(`${method} /api/stream/%zz`, body)).status).toBe(status);
  },
);

test.each([{}, { livestreamMockUnknown: 1 }])(
  'an update with %j, which has no accepted field, is refused if a dialect says so',
  async (body) => {
    const body418 = { empty: 418, unknown: 418 } as const;
    const updateStream = { 'field:unknown': { given: 'dropped' }, body: body418 } as const;
    const { send } = await clientOf({ errors: { updateStream } });
    const { json } = await send('POST /api/stream', { name: 'Harbour' });
    const path = `PATCH /api/stream/${json['id']}`;
    expect((await send(path, body)).status).toBe(418);
    expect((await send(path, { name: 'Garden' })).status).not.toBe(418);
  },
);

test('a dialect can refuse each field of an update while the stream is live, and no value that record has', async () => {
  const state = { live: 'accepted', 'live:record': 409, 'live:userTags': 423 } as const;
  const updateStream = { 'field:record': { given: 'kept' }, state } as const;
  const { send, world } = await clientOf({ errors: { updateStream } });
  const { json } = await send('POST /api/stream', { name: 'Harbour', record: true });
  const update = async (body: object) =>
    (await send(`PATCH /api/stream/${json['id']}`, body)).status;
  expect(await update({ userTags: { team: 'one' } })).toBe(204);
  await world.start(String(json['id']));
  expect(await update({ record: false, name: 'Garden' })).toBe(409);
  expect(await update({ userTags: { team: 'two' } })).toBe(423);
  expect(await update({ record: true, name: 'Garden', profiles: [] })).toBe(204);
});

test.each([
  ['GET /api/stream', {}, 403],
  ['POST /api/stream', {}, 403],
  ['GET /api/stream', { authorization: null }, 401],
  ['GET /api/stream', { authorization: 'Bearer wrong' }, 401],
  ['GET /api/nothing', {}, 404],
  ['GET /api/playback/PLAYBACK', {}, 200],
  ['GET /api/user/me', {}, 403],
] as const)(
  'a foreign Origin is refused once the key was accepted: %s %j',
  async (line, parts, status) => {
    const { send, world } = await clientOf({
      routes,
      errors: { retrievePlayback: { key: { none: 'accepted' } } },
      behaviours: { 'cors.origins': { requests: { status: 403 } } },
    });
    const { playbackId } = await world.createStream({ name: 'Harbour' });
    const headers = { origin: 'https://app.test' };
    const body = line.startsWith('POST') ? { name: 'Garden' } : undefined;
    const sent = await send(line.replace('PLAYBACK', playbackId), body, { ...parts, headers });
    expect(sent.status).toBe(status);
    expect(sent.headers.get('access-control-allow-origin')).toBe(status === 200 ? '*' : null);
  },
);

test.each([
  ['any key of the form test-…', {}],
  ['exact keys', { apiKeys: ['test-first', 'test-second'] }],
])('without a key, playback is found in whichever world has it: %s', async (_, keys) => {
  const dialect = {
    dialect: 3,
    errors: { retrievePlayback: { key: { none: 'accepted' } } },
  } as const;
  const mock = createMock({ dialect, ...keys });
  const { playbackId } = await (await mock.world('test-second')).createStream({ name: 'Harbour' });
  const read = (id: string) =>
    mock.fetch(testRequest(`GET /api/playback/${id}`, { authorization: null }));
  expect((await read(playbackId)).status).toBe(200);
  expect((await read('none')).status).toBe(404);
});

test('a dialect gives changes and refusals of operations an ETag, which never answers with 304', async () => {
  const { send } = await clientOf({
    behaviours: {
      'http.etag': 'conditional',
      'http.etag-of': { changes: 'present', refusals: 'present' },
    },
  });
  const first = await send('POST /api/stream', { name: 'Harbour' });
  const etag = first.headers.get('etag');
  expect(etag).toMatch(/^"/);
  const headers = { 'if-none-match': '*' };
  const again = await send('POST /api/stream', { name: 'Harbour' }, { headers });
  expect([again.status, again.headers.has('etag')]).toEqual([201, true]);
  const refused = await send('GET /api/stream/none', undefined, { headers });
  expect([refused.status, refused.headers.has('etag')]).toEqual([404, true]);
  const { id } = first.json;
  const empty = await send(`PATCH /api/stream/${id}/record`, { record: true });
  expect([empty.status, empty.headers.has('etag')]).toEqual([204, false]);
  expect((await send('GET /api/nothing')).headers.has('etag')).toBe(false);
});

test('a dialect says which headers for pages other clients get, and which all responses have', async () => {
  const { send } = await clientOf({
    behaviours: {
      'http.headers': { vary: 'Accept', 'www-authenticate': 'Basic', etag: '"a"' },
      'cors.without-origin': {
        'access-control-allow-credentials': 'present',
        'access-control-expose-headers': 'absent',
      },
    },
  });
  const { status, headers } = await send('DELETE /api/stream/none');
  expect([status, headers.get('vary'), headers.get('etag')]).toEqual([
    404,
    'Accept, origin',
    '"a"',
  ]);
  expect(headers.get('www-authenticate')).toBe('Basic');
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.has('access-control-expose-headers')).toBe(false);
  const toPage = await send('GET /api/stream', undefined, {
    headers: { origin: 'https://app.test' },
  });
  expect(toPage.headers.get('access-control-expose-headers')).toContain('link');
});

test('the response to OPTIONS may be a text that lists the methods of the path', async () => {
  const { send } = await clientOf({ behaviours: { 'http.options': { known: 'methods' } } });
  const { status, text, headers } = await send('OPTIONS /api/stream');
  expect([status, text, headers.get('allow')]).toEqual([200, 'HEAD, GET, POST', 'HEAD, GET, POST']);
  expect((await send('OPTIONS /api/nothing')).status).toBe(204);
});

test.each([
  ['sessions', (id: string) => id],
  ['children', (id: string) => expect.not.stringContaining(id)],
] as const)('%s among streams have keys of their own, and no recording', async (among, idOf) => {
  const { list, world } = await clientOf({
    errors: { listStreams: { 'query:unknown': { given: 400 } } },
    behaviours: {
      'list.sessions-among-streams': among,
      'keys.by-place': {
        sessionAmongStreams: { kind: 'stream', region: 'text' },
        sessionWhileLive: { issues: 0 },
      },
      'keys.spelling': { mp4URL: 'mp4' },
    },
  });
  const { id } = await world.createStream({ name: 'Harbour', record: true });
  const session = await world.start(id, { duration: 5 });
  world.clock.advance('1h');
  const [shown, stream] = await list('/api/stream');
  expect(shown).toMatchObject({
    id: idOf(session.id),
    parentId: id,
    kind: 'stream',
    region: 'text',
  });
  for (const key of ['recordingStatus', 'recordingUrl', 'mp4', 'issues']) {
    expect(shown).not.toHaveProperty(key);
  }
  expect(stream).not.toHaveProperty('region');
  expect(await list('/api/stream?streamsonly=1')).toMatchObject([{ id }]);
});

test('a child stream is updated and deleted as the dialect says of its id', async () => {
  const { list, send, world } = await clientOf({
    errors: { updateStream: { id: { child: 400 } }, deleteStream: { id: { child: 'done' } } },
    behaviours: { 'list.sessions-among-streams': 'children' },
  });
  const { id } = await world.createStream({ name: 'Harbour' });
  await world.start(id, { duration: 5 });
  const [child] = await list('/api/stream');
  const path = `/api/stream/${child?.['id']}`;
  expect((await send(`PATCH ${path}`, { name: 'Garden' })).status).toBe(400);
  expect((await send(`DELETE ${path}`)).status).toBe(204);
  expect((await send(`DELETE ${path}/terminate`)).status).toBe(404);
});

test.each(['id:session', 'id:other-key'])(
  'what a dialect carries out for an id has its effect: %s',
  async (error) => {
    const id = { session: 'carried-out', 'other-key': 'carried-out' } as const;
    const errors = { updateStream: { id }, setRecord: { id }, deleteStream: { id } };
    const { mock, send, world } = await clientOf({ errors });
    const other = await mock.world('test-other');
    const stream = await (error === 'id:session' ? world : other).createStream({ name: 'Harbour' });
    const shown = error === 'id:session' ? await world.start(stream.id, { duration: 5 }) : stream;
    const owner = error === 'id:session' ? {} : { authorization: 'Bearer test-other' };
    const look = () => send(`GET /api/stream/${shown.id}`, undefined, owner);
    expect((await send(`PATCH /api/stream/${shown.id}`, { name: 'Garden' })).status).toBe(204);
    expect((await send(`PATCH /api/stream/${shown.id}/record`, { record: true })).status).toBe(204);
    expect((await look()).json).toMatchObject({ name: 'Garden', record: true });
    expect((await send(`DELETE /api/stream/${shown.id}`)).status).toBe(204);
    expect((await look()).status).toBe(404);
    expect(world.streams()).toHaveLength(error === 'id:session' ? 1 : 0);
  },
);

test.each([
  ['control', 'line one\nline two'],
  ['blank', '   '],
  ['padded', ' Harbour'],
  ['surrogate', 'Harbour \ud83d'],
] as const)('a dialect can refuse a name that is %s', async (kind, name) => {
  const { send } = await clientOf({ errors: { createStream: { 'field:name': { [kind]: 409 } } } });
  const statuses = [];
  for (const sent of [name, 'Harbour 🎥 1']) {
    statuses.push((await send('POST /api/stream', { name: sent })).status);
  }
  expect(statuses).toEqual([409, 201]);
});

test('a dialect can remove the spaces around a name', async () => {
  const errors = { createStream: { 'field:name': { padded: 'trimmed' } } } as const;
  const { send } = await clientOf({ errors });
  const { json } = await send('POST /api/stream', { name: '  Harbour ' });
  expect(json).toMatchObject({ name: 'Harbour' });
});

test('a dialect can limit the longest text inside a field that is only stored', async () => {
  const large = { status: 409, above: 64, below: 100 };
  const { send } = await clientOf({ errors: { createStream: { 'field:userTags': { large } } } });
  const create = async (length: number) => {
    const userTags = { place: { of: ['pier', 'x'.repeat(length)] }, count: 500 };
    return (await send('POST /api/stream', { name: 'Harbour', userTags })).status;
  };
  expect([await create(64), await create(65)]).toEqual([201, 409]);
});

test('a dialect can limit how many profiles a stream has', async () => {
  const large = { status: 409, above: 8, below: 10 };
  const { send } = await clientOf({
    errors: { createStream: { 'field:profiles': { large, equal: 400 } } },
  });
  const create = async (count: number) => {
    const profile = { bitrate: 2_000_000, fps: 30, width: 1280, height: 720 };
    const profiles = Array.from({ length: count }, (_, index) => ({
      ...profile,
      name: `${index}`,
    }));
    return (await send('POST /api/stream', { name: 'Harbour', profiles })).status;
  };
  expect([await create(8), await create(9), await create(0)]).toEqual([201, 409, 201]);
});

test('a dialect says which keys a stream has or lacks in the list of streams, and if it is recorded', async () => {
  const { send, world } = await clientOf({
    behaviours: {
      'keys.by-place': {
        listStreams: { status: 'IDLE' },
        streamRecorded: { storage: { days: 0 } },
      },
      'keys.missing': { listStreams: ['streamKey'] },
    },
  });
  const { id } = await world.createStream({ name: 'Harbour' });
  const list = async () => (await send('GET /api/stream')).json as unknown as object[];
  const retrieve = async () => (await send(`GET /api/stream/${id}`)).json;
  const keys = async () =>
    [await retrieve(), ...(await list())].map((stream) => Object.keys(stream));
  const [retrieved = [], listed = []] = await keys();
  expect(listed.filter((key) => !retrieved.includes(key))).toEqual(['status']);
  expect(retrieved.filter((key) => !listed.includes(key))).toEqual(['streamKey']);
  await send(`PATCH /api/stream/${id}/record`, { record: true });
  expect(await keys()).toEqual([
    expect.arrayContaining(['storage']),
    expect.arrayContaining(['storage', 'status']),
  ]);
});

test('the response to a creation may leave out what was not sent', async () => {
  const { send } = await clientOf({
    behaviours: { 'keys.missing': { createStream: ['profiles'] } },
  });
  const { json: plain } = await send('POST /api/stream', { name: 'Harbour' });
  expect(plain).not.toHaveProperty('profiles');
  expect((await send(`GET /api/stream/${plain['id']}`)).json).toMatchObject({ profiles: [] });
  const { json: sent } = await send('POST /api/stream', { name: 'Harbour', profiles: [] });
  expect(sent).toMatchObject({ profiles: [] });
});

test('a live session may lack keys that it has after its end', async () => {
  const behaviours = {
    'session.further-keys': { name: 'text', endedAt: 0 },
    'keys.missing': { sessionWhileLive: ['endedAt'] },
  };
  const { send, world } = await clientOf({ behaviours });
  const { id } = await world.createStream({ name: 'Harbour' });
  const session = await world.start(id);
  const show = async () => (await send(`GET /api/session/${session.id}`)).json;
  expect(await show()).not.toHaveProperty('endedAt');
  await world.stop(id);
  expect(await show()).toHaveProperty('endedAt');
});

test('playback has the form that a dialect says, with the address of the playlist of the mock', async () => {
  const sample = { title: 'text', playbackId: 'text', live: false, sources: [{ src: '{hls}' }] };
  const { send, world } = await clientOf({ behaviours: { 'playback.shows': sample } });
  const { id, playbackId } = await world.createStream({ name: 'Harbour' });
  await world.start(id);
  const { json } = await send(`GET /api/playback/${playbackId}`);
  const src = expect.stringMatching(/^http.*\/hls\/.*\/index\.m3u8$/);
  expect(json).toEqual({ title: 'text', playbackId, live: true, sources: [{ src }] });
});

test('a list of only recorded sessions may show a session later than others', async () => {
  const behaviours = { 'sessions.appear': { recordedOnly: 'at-end' } } as const;
  const { send, world } = await clientOf({ behaviours });
  const { id } = await world.createStream({ name: 'Harbour', record: true });
  await world.start(id);
  const count = async (query: string): Promise<unknown> =>
    (await send(`GET /api/stream/${id}/sessions${query}`)).json['length'];
  expect([await count(''), await count('?record=1')]).toEqual([1, 0]);
  await world.stop(id);
  expect([await count(''), await count('?record=1')]).toEqual([1, 1]);
});

test.each([
  ['duplicate-key', '{"name":"Harbour","profiles":[{"name":"a","name":"b"}],"name":"Garden"}'],
  ['duplicate-key', '{"name":"Harbour","\\u006eame":"Garden"}'],
  ['number-form', '{"name":"Harbour","profiles":[{"name":"a","fps":30.0}]}'],
  ['number-form', '{"name":"Harbour","profiles":[{"name":"a","bitrate":2e6}]}'],
])('a dialect can refuse JSON that others read: %s in %s', async (error, body) => {
  const { send } = await clientOf({ errors: { createStream: { body: { [error]: 409 } } } });
  expect((await send('POST /api/stream', undefined, { body })).status).toBe(409);
  const plain = { name: 'fps 30.0 {"name":1,"name":2}' };
  expect((await send('POST /api/stream', plain)).status).toBe(201);
});

test('updates have forms and numbers read as creations do', async () => {
  const body = { form: 'accepted', 'number-form': 409 } as const;
  const { send, world } = await clientOf({ errors: { createStream: { body } } });
  const { id } = await world.createStream({ name: 'Harbour' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await send(`PATCH /api/stream/${id}`, undefined, { body: 'name=Garden', headers });
  expect((await send(`GET /api/stream/${id}`)).json['name']).toBe('Garden');
  const refused = { body: '{"profiles":[{"fps":30.0}]}' };
  expect((await send(`PATCH /api/stream/${id}`, undefined, refused)).status).toBe(409);
});

test('a dialect can refuse a parameter of an operation that has none, and one that is repeated', async () => {
  const { send, world } = await clientOf({
    errors: {
      retrieveStream: { 'query:unknown': { given: 409 } },
      listStreams: { query: { repeated: 409 } },
    },
  });
  const { id } = await world.createStream({ name: 'Harbour' });
  const paths = [
    `/stream/${id}?record=1`,
    `/stream/${id}`,
    '/stream?limit=1&limit=1',
    '/stream?limit=1',
  ];
  const sent = await Promise.all(paths.map((path) => send(`GET /api${path}`)));
  expect(sent.map(({ status }) => status)).toEqual([409, 200, 409, 200]);
});

const formType = 'application/x-www-form-urlencoded';

test('a dialect can read forms, whose values are texts', async () => {
  const { send } = await clientOf({ errors: { createStream: { body: { form: 'accepted' } } } });
  const { status, json } = await send('POST /api/stream', undefined, {
    body: 'name=Harbour+camera',
    headers: { 'content-type': formType },
  });
  expect([status, json]).toMatchObject([201, { name: 'Harbour camera' }]);
  const record = await send(`PATCH /api/stream/${json['id']}/record`, undefined, {
    body: 'record=true',
    headers: { 'content-type': formType },
  });
  expect(record.status).toBe(422);
});

const utf8 = new TextEncoder();

async function gzip(plain: string): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([plain]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/** Sends a body to a service that reads forms, JSON with the type of a form, and compressed bodies. */
async function createFrom(bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const body = { form: 'accepted', 'type:form': 'accepted', encoding: 'accepted' } as const;
  const charset = { 'charset:utf-16': 'accepted', charset: 418 } as const;
  const errors = { createStream: { body: { ...body, ...charset } } };
  const { send } = await clientOf({ errors });
  const { status, json } = await send('POST /api/stream', undefined, { body: bytes, headers });
  return [status, json['name']];
}

test('the content type of a form may be in capitals, and name UTF-8', async () => {
  const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded; Charset="UTF-8"' };
  expect(await createFrom(utf8.encode('name=Harbour'), headers)).toEqual([201, 'Harbour']);
});

test('another content type that begins with that of a form is not that of a form', async () => {
  const headers = { 'content-type': `${formType}-2` };
  expect(await createFrom(utf8.encode('name=Harbour'), headers)).toEqual([415, undefined]);
});

test('a form may be compressed', async () => {
  const headers = { 'content-type': formType, 'content-encoding': 'gzip' };
  expect(await createFrom(await gzip('name=Harbour'), headers)).toEqual([201, 'Harbour']);
});

test('compressed JSON with the content type of a form is JSON', async () => {
  const headers = { 'content-type': formType, 'content-encoding': 'gzip' };
  expect(await createFrom(await gzip('{"name":"Harbour"}'), headers)).toEqual([201, 'Harbour']);
});

test('JSON in UTF-16 with the content type of a form is JSON', async () => {
  const headers = { 'content-type': `${formType}; charset=utf-16be` };
  const bytes = new Uint8Array(Buffer.from('{"name":"a"}', 'utf16le').swap16());
  expect(await createFrom(bytes, headers)).toEqual([201, 'a']);
});

test('a form in another charset is refused like JSON in it', async () => {
  const headers = { 'content-type': `${formType}; charset=iso-8859-1` };
  expect(await createFrom(utf8.encode('name=Harbour'), headers)).toEqual([418, undefined]);
});

test('the encoding of a body may be in capitals', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'GZIP' };
  expect(await createFrom(await gzip('{"name":"Harbour"}'), headers)).toEqual([201, 'Harbour']);
});

test('an id in encoded braces is a wrong id, and no other spelling of the path', async () => {
  const path = { 'encoded-letter': 410 } as const;
  const { send } = await clientOf({ errors: { everyOperation: { path } } });
  expect((await send('GET /api/stream/%7Bid%7D')).status).toBe(404);
});

test('a dialect can refuse two spaces before a key', async () => {
  const { send } = await clientOf({ errors: { everyOperation: { key: { spaces: 400 } } } });
  const statusWith = async (authorization: string) =>
    (await send('GET /api/stream', undefined, { headers: { authorization } })).status;
  expect([await statusWith('Bearer  test-a'), await statusWith('Bearer test-a')]).toEqual([
    400, 200,
  ]);
});

test.each([
  ['Bearer ', '"Bearer" without a key'],
  ['bearer test-s3cret', 'a known key after "bearer"'],
  ['BEARER  test-s3cret', 'a known key after "BEARER"'],
  ['Bearer  test-s3cret', 'a known key after several spaces'],
  ['test-s3cret', 'a known key without "Bearer"'],
  ['s3cret', 'a malformed value'],
  ['Basic test-s3cret', 'a known key after something other than "Bearer"'],
  ['Basic s3cret', 'a malformed value'],
  ['Bearer s3cret', 'an unknown key'],
])('a refusal for a key says what is wrong with "%s": got %s', async (authorization, got) => {
  const key = { 'scheme-case': 401, spaces: 401 } as const;
  const { send } = await clientOf({ errors: { everyOperation: { key } } });
  const { status, json, text } = await send('GET /api/stream', undefined, {
    headers: { authorization },
  });
  expect(status).toBe(401);
  expect(json['errors']).toEqual([expect.stringMatching(new RegExp(`, got ${got}$`))]);
  expect(text).not.toContain('s3cret');
});

test('a dialect can round a number', async () => {
  const errors = { createStream: { 'field:profiles[].height': { fraction: 'rounded' } } } as const;
  const { send } = await clientOf({ errors });
  const profile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720.6 };
  const { json } = await send('POST /api/stream', { name: 'a', profiles: [profile] });
  expect(json).toMatchObject({ profiles: [{ ...profile, height: 721 }] });
});

test('a dialect can read one profile as an array of it', async () => {
  const errors = { createStream: { 'field:profiles': { object: 'in-array' } } } as const;
  const { send } = await clientOf({ errors });
  const profile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 };
  const { json } = await send('POST /api/stream', { name: 'a', profiles: profile });
  expect(json).toMatchObject({ profiles: [profile] });
});

test('the sessions that a deleted stream leaves are also among the streams', async () => {
  const { world, list, send } = await clientOf({
    behaviours: { 'delete.leaves': 'sessions', 'list.sessions-among-streams': 'children' },
  });
  const { id } = await world.createStream({ name: 'Harbour' });
  await world.start(id, { duration: 5 });
  world.clock.advance('1h');
  await send(`DELETE /api/stream/${id}`);
  expect(await list('/api/stream')).toMatchObject([{ parentId: id }]);
});

test('a preflight may be answered in another way than other OPTIONS', async () => {
  const behaviours = {
    'http.options': { known: 'methods' },
    'http.preflight': 'no-content',
  } as const;
  const { send } = await clientOf({ behaviours });
  const headers = { origin: 'https://app.test', 'access-control-request-method': 'POST' };
  const statusWith = async (sent: object) =>
    (await send('OPTIONS /api/stream', undefined, { headers: { ...sent } })).status;
  expect([await statusWith(headers), await statusWith({})]).toEqual([204, 200]);
});

test('a preflight that is allowed is answered with 204 where other OPTIONS are refused', async () => {
  const { send } = await clientOf({ behaviours: { 'http.options': { known: { status: 405 } } } });
  const headers = { origin: 'https://app.test', 'access-control-request-method': 'POST' };
  const preflight = await send('OPTIONS /api/stream', undefined, { headers });
  const plain = await send('OPTIONS /api/stream');
  expect([preflight.status, plain.status]).toEqual([204, 405]);
});
