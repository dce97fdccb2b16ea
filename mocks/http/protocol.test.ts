import { describe, expect, test } from 'vitest';
import { createMock } from '../mock.ts';
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
    [204, `PATCH /api/stream/${stream}/record {"record":true}`],
    [401, '[authorization none] GET /api/stream'],
    [416, `[range bytes=-0] GET /recordings/${session}/source.mp4`],
  ])('can read a response with status %i to %s', async (status, given) => {
    const request = readRequest(`[origin http://a.test] ${given}`);
    const { status: received, headers } = await mock.fetch(request);
    expect(received).toBe(status);
    expect(headers.get('access-control-allow-origin')).toBe('http://a.test');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toBe('origin');
    expect(headers.get('access-control-expose-headers')).toContain('link');
  });

  test('can read the control API only without credentials', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const request = readRequest(`[origin http://a.test] ${method} /_mock/clock`);
      const { headers } = await mock.fetch(request);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test.each(['/api/stream', '/api/stream/x/record', '/hls/x/index.m3u8', '/%'])(
    'may ask for leave to send to %s without a key',
    async (path) => {
      const { status, headers, body } = await send(`OPTIONS ${path}`, {
        authorization: null,
        headers: {
          origin: 'http://a.test',
          'access-control-request-headers': 'authorization, x-trace',
        },
      });
      expect([status, body]).toEqual([204, null]);
      expect(headers.get('access-control-allow-origin')).toBe('http://a.test');
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-allow-methods')).toMatch(/GET.*POST.*PATCH.*DELETE/);
      expect(headers.get('access-control-allow-headers')).toBe('authorization, x-trace');
    },
  );
});

test.each([
  '/api/stream',
  `/api/stream/${stream}`,
  '/_mock/state',
  `/recordings/${session}/index.m3u8`,
  `/recordings/${session}/source/0.m4s`,
  '/api/stream/nowhere',
  '/_mock/reset',
])('the response to HEAD is that to GET, without the body: %s', async (path) => {
  const get = await send(`GET ${path}`);
  const head = await send(`HEAD ${path}`);
  expect(head.status).toBe(get.status);
  expect([...head.headers]).toEqual([...get.headers]);
  expect(await head.text()).toBe('');
});

describe('a route', () => {
  const paths = ['/', `/${stream}/`, `/${stream}/sessions/?record=1`];

  test.each(paths)('may end in a slash: /api/stream%s', async (path) => {
    expect((await send(`GET /api/stream${path}`)).status).toBe(200);
  });

  test('that is unknown gets a message that says where the routes are', async () => {
    const response = await send('GET /stream');
    expect(response.status).toBe(404);
    const expected = 'a known route, as /openapi.json lists them below /api/';
    expect(await readErrors(response)).toEqual([`path: expected ${expected}, got "GET /stream"`]);
    const ofControl = 'path: expected a known route of the control API, got "GET /_mock/clocks"';
    expect(await readErrors(await send('GET /_mock/clocks'))).toEqual([ofControl]);
  });

  test('has the prefix of the mock', async () => {
    const { fetch } = createMock({ prefix: '/v1/studio' });
    expect((await fetch(testRequest('GET /v1/studio/stream'))).status).toBe(200);
    expect((await fetch(testRequest('GET /api/stream'))).status).toBe(404);
  });
});

test.each([
  ['__proto__', '__proto__'],
  ['a%2Fb', 'a/b'],
  ['%ff', '%ff'],
])('the id %s is unknown', async (path, id) => {
  const expected = `id: expected a stream of this API key, got ${JSON.stringify(id)}`;
  for (const line of [`GET /api/stream/${path}`, `GET /api/stream/${path}/sessions`]) {
    const response = await send(line);
    expect(response.status).toBe(404);
    expect(await readErrors(response)).toEqual([expected]);
  }
});

test.each(['bearer', 'BEARER', 'BeArEr', 'Bearer  '])('the scheme may be %s', async (scheme) => {
  const response = await send('GET /api/stream', { authorization: `${scheme} ${testKey}` });
  expect(response.status).toBe(200);
});

test.each<[given: string, key: string, status: number, apiKeys?: string[]]>([
  ['without exact keys', 'test-A.b_c~d+e/f=', 200],
  ['without exact keys', 'test-', 401],
  ['without exact keys', 'Test-a', 401],
  ['without exact keys', `test-${'a'.repeat(201)}`, 401],
  ['with exact keys', 'secret-2', 200, ['secret-1', 'secret-2']],
  ['with exact keys', 'test-demo', 401, ['secret-1', 'secret-2']],
  ['with exact keys', '__proto__', 401, ['secret-1', 'secret-2']],
])('%s, %s is answered with %i', async (_, key, status, apiKeys) => {
  const { fetch } = createMock(apiKeys === undefined ? {} : { apiKeys });
  const request = testRequest('GET /api/stream', { authorization: `Bearer ${key}` });
  expect((await fetch(request)).status).toBe(status);
});
