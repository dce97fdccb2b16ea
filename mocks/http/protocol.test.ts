import { describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../mock.ts';
import {
  type RequestParts,
  readErrors,
  readRequest,
  testKey,
  testRequest,
} from './request.test-support.ts';

const mock = createMock({ world: 'demo' });
const world = await mock.world(testKey);
const stream = world.streams().find(({ isActive }) => !isActive)?.id;
const session = world.sessions().find(({ mp4URL }) => mp4URL !== undefined)?.id;

function send(line: string, parts?: RequestParts): Promise<Response> {
  return mock.fetch(testRequest(line, parts));
}

describe('a page of another origin', () => {
  test.each([
    [200, 'GET /api/stream'],
    [200, '[authorization none] GET /openapi.json'],
    [200, `[authorization none] GET /recordings/${session}/index.m3u8`],
    [201, 'POST /api/stream {"name":"a"}'],
    [204, `PATCH /api/stream/${stream}/record {"record":true}`],
    [206, `[range bytes=0-9] GET /recordings/${session}/source.mp4`],
    [304, `[if-none-match *] GET /recordings/${session}/source.mp4`],
    [400, 'POST /api/stream {'],
    [401, '[authorization none] GET /api/stream'],
    [404, 'GET /nowhere'],
    [404, `GET /recordings/${session}/nowhere.m3u8`],
    [413, '[content-length 999999] POST /api/stream {}'],
    [415, '[type text/plain] POST /api/stream {}'],
    [416, `[range bytes=-0] GET /recordings/${session}/source.mp4`],
    [422, 'POST /api/stream {}'],
  ])('can read a response with status %i to %s', async (status, given) => {
    const { status: received, headers } = await mock.fetch(
      readRequest(`[origin http://a.test] ${given}`),
    );
    expect(received).toBe(status);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('link');
  });

  test.each([
    '/api/stream',
    '/api/stream/x/record',
    '/_mock/state',
    '/hls/x/index.m3u8',
    '/',
    '/%',
  ])('may ask for leave to send to %s without a key', async (path) => {
    const { status, headers, body } = await send(`OPTIONS ${path}`, {
      authorization: null,
      headers: { 'access-control-request-headers': 'authorization, x-trace' },
    });
    expect([status, body]).toEqual([204, null]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toMatch(/GET.*POST.*PATCH.*DELETE/);
    expect(headers.get('access-control-allow-headers')).toBe('authorization, x-trace');
  });

  test('is given leave for the usual headers when it names none', async () => {
    const { status, headers } = await send('OPTIONS /api/stream', {
      authorization: 'Bearer unknown',
      body: 'no JSON',
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')).toBe('authorization, content-type');
  });
});

describe('HEAD', () => {
  test.each([
    '/api/stream',
    `/api/stream/${stream}`,
    `/api/stream/${stream}/sessions?record=1&limit=1`,
    '/api/session?limit=1',
    `/api/session/${session}`,
    '/_mock/clock',
    '/_mock/state',
    '/openapi.json',
    `/recordings/${session}/index.m3u8`,
    `/recordings/${session}/source/0.m4s`,
    '/api/stream/nowhere',
    '/api/streams',
    '/_mock/reset',
  ])('answers as GET does, without the body: %s', async (path) => {
    const get = await send(`GET ${path}`);
    const head = await send(`HEAD ${path}`);
    expect(head.status).toBe(get.status);
    expect([...head.headers]).toEqual([...get.headers]);
    expect(await head.text()).toBe('');
  });
});

describe('a route', () => {
  test.each(['/api/stream/', `/api/stream/${stream}/`, `/api/stream/${stream}/sessions/?record=1`])(
    'may end in a slash: %s',
    async (path) => {
      expect((await send(`GET ${path}`)).status).toBe(200);
    },
  );

  test.each([
    { line: 'PUT /api/stream', nearest: 'POST /api/stream' },
    { line: 'GET /api/streams', nearest: 'GET /api/stream' },
    { line: `PATCH /api/stream/${stream}/records`, nearest: 'PATCH /api/stream/{id}/record' },
    { line: `GET /api/stream/${stream}/session`, nearest: 'GET /api/stream/{parentId}/sessions' },
    { line: 'GET /stream', nearest: 'GET /api/stream' },
    { line: 'GET /openapi.yaml', nearest: 'GET /openapi.json' },
    { line: 'GET /api/', nearest: 'GET /api/stream' },
  ])('that is unknown is told the nearest: $line', async ({ line, nearest }) => {
    const response = await send(line, line.startsWith('GET') ? {} : { body: '{}' });
    expect(response.status).toBe(404);
    expect((await readErrors(response))[0]).toContain(`a known route such as ${nearest}, got "`);
  });

  test('is prefixed as the mock was told', async () => {
    const { fetch } = createMock({ prefix: '/v1/studio' });
    expect((await fetch(testRequest('GET /v1/studio/stream'))).status).toBe(200);
    expect((await fetch(testRequest('GET /api/stream'))).status).toBe(404);
  });

  test.each(['constructor', '__proto__', 'toString', 'BREW'])(
    'of method %s is unknown, and nothing else changes',
    async (method) => {
      const response = await send(`${method} /api/stream`);
      expect(response.status).toBe(404);
      expect((await readErrors(response))[0]).toContain(`got "${method} /api/stream"`);
      expect(Object.keys(Object)).toEqual([]);
      expect('params' in {}).toBe(false);
    },
  );
});

describe('an id', () => {
  test.each([
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['a%2Fb', 'a/b'],
    ['..%2f..%2f', '../../'],
    ['%', '%'],
    ['%ff', '%ff'],
    ['%C3%A9', 'é'],
    ['a+b', 'a+b'],
  ])('%s is unknown', async (path, id) => {
    const expected = `id: expected a stream of this API key, got ${JSON.stringify(id)}`;
    for (const line of [`GET /api/stream/${path}`, `GET /api/stream/${path}/sessions`]) {
      const response = await send(line);
      expect(response.status).toBe(404);
      expect(await readErrors(response)).toEqual([expected]);
    }
  });
});

test.each(['bearer', 'BEARER', 'BeArEr', 'Bearer  '])('the scheme may be %s', async (scheme) => {
  const response = await send('GET /api/stream', { authorization: `${scheme} ${testKey}` });
  expect(response.status).toBe(200);
});

async function statusOf({ fetch }: Mock, key: string): Promise<number> {
  const request = testRequest('GET /api/stream', { authorization: `Bearer ${key}` });
  return (await fetch(request)).status;
}

test.each([
  ['test-a', 200],
  ['test-A.b_c~d+e/f=', 200],
  ['test-', 401],
  ['Test-a', 401],
  ['demo', 401],
  [`test-${'a'.repeat(201)}`, 401],
])('without exact keys, %s is answered with %i', async (key, status) => {
  expect(await statusOf(createMock(), key)).toBe(status);
});

test.each([
  ['secret-1', 200],
  ['secret-2', 200],
  ['test-demo', 401],
  ['secret-3', 401],
  ['secret-1,secret-2', 401],
  ['__proto__', 401],
])('with exact keys, %s is answered with %i', async (key, status) => {
  expect(await statusOf(createMock({ apiKeys: ['secret-1', 'secret-2'] }), key)).toBe(status);
});
