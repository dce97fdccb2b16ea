import { expect, test } from 'vitest';
import { documentedWords, parseRoutes } from './routes-file.ts';

const baseUrl = 'https://service.test/v1';

function parse(file: string | object, base = baseUrl) {
  return parseRoutes(typeof file === 'string' ? file : JSON.stringify(file), base);
}

/** A HAR with a request for each line; those of a mock say which operation they were for. */
function har(lines: readonly string[], more: object = {}) {
  const entries = lines.map((line) => {
    const [method, url, text] = line.split(' ');
    const postData = text === undefined ? {} : { postData: { text } };
    return { request: { method, url, ...postData }, ...more };
  });
  return { log: { version: '1.2', entries } };
}

test('lines name routes, perhaps with a body, except those of the interface', () => {
  const text = `
    # what our app asks for
    GET /user/me
    get /v1/webhook
    POST /webhook {"name":"a"}
    GET /stream/{id}
    OPTIONS /stream/{id}
    PUT /stream/{id}
    GET /user/me
  `;
  expect(parse(text)).toEqual([
    { method: 'GET', path: '/user/me', body: {} },
    { method: 'GET', path: '/webhook', body: {} },
    { method: 'POST', path: '/webhook', body: { name: 'a' } },
    { method: 'PUT', path: '/stream/{id}', body: {} },
  ]);
});

test('an id in a path is any id, and is asked for once', () => {
  const id = 'e5a1f6c2-0d4b-4a0e-9a3c-1a2b3c4d5e6f';
  expect(parse(`GET /asset/${id}\nGET /asset/17?details=1\nGET /a/b%20c`)).toEqual([
    { method: 'GET', path: '/asset/{id}', sample: `/asset/${id}`, body: {} },
    { method: 'GET', path: '/a/{id}', sample: '/a/b%20c', body: {} },
  ]);
});

test('a path outside the base URL is marked, or is in a full address', () => {
  const text = `
    GET !/healthz
    GET !/
    GET https://service.test/status/17?a=b
    GET https://SERVICE.test:443
    GET !/v1/user/me
    GET https://service.test/v1/webhook
  `;
  expect(parse(text)).toEqual([
    { method: 'GET', path: '!/healthz', body: {} },
    { method: 'GET', path: '!/', body: {} },
    { method: 'GET', path: '!/status/{id}', sample: '!/status/17?a=b', body: {} },
    { method: 'GET', path: '/user/me', body: {} },
    { method: 'GET', path: '/webhook', body: {} },
  ]);
  expect(parse('GET https://a.test/healthz', 'https://a.test')).toMatchObject([
    { path: '/healthz' },
  ]);
});

test('a query may look like a path that leads elsewhere', () => {
  expect(parse('GET /search?next=/../a')).toMatchObject([{ path: '/search' }]);
});

test('placeholders name what the run makes', () => {
  const text = `
    GET /stream/sessions/{id}
    GET /nft/{playbackId}/of/{assetId}?key={streamKey}
    POST /clip {"playbackId":"{playbackId}"}
  `;
  const template = '/nft/{playbackId}/of/{id}?key={streamKey}';
  expect(parse(text)).toEqual([
    { method: 'GET', path: '/stream/sessions/{id}', body: {} },
    { method: 'GET', path: '/nft/{id}/of/{id}', template, body: {} },
    { method: 'POST', path: '/clip', body: { playbackId: '{playbackId}' } },
  ]);
});

test('an OpenAPI document names its operations', () => {
  const document = {
    openapi: '3.1.0',
    paths: {
      '/asset/{assetId}': { parameters: [], get: {}, delete: {} },
      '/stream/{id}': { get: {} },
      '/v1/user/me': { get: {}, trace: {}, 'x-get': {} },
    },
  };
  expect(parse(document)).toEqual([
    { method: 'GET', path: '/asset/{id}', body: {} },
    { method: 'DELETE', path: '/asset/{id}', body: {} },
    { method: 'GET', path: '/user/me', body: {} },
  ]);
});

test('an OpenAPI document lists the words of keys with few values', () => {
  const phase = { type: 'string', enum: ['waiting', 'ready', 'waiting', 'a b', 7, null] };
  const properties = { phase: { $ref: '#/components/schemas/Phase' }, kind: { const: 'clip' } };
  const document = { paths: { '/a': { get: { properties } } }, components: { Phase: phase } };
  expect(documentedWords(JSON.stringify(document))).toEqual(['clip', 'ready', 'waiting']);
  expect(documentedWords('GET /user/me')).toEqual([]);
  expect(documentedWords(JSON.stringify({ ...har([]), components: { Phase: phase } }))).toEqual([]);
});

test('a HAR names the requests to the service, and not what was sent', () => {
  const archive = har([
    'GET https://other.test/v1/user/me',
    'GET https://service.test/v1beta/asset',
    'OPTIONS https://service.test/v1/user/me',
    'GET https://service.test/v1/asset/new1x2y3?a=b',
    'POST https://service.test/v1/webhook {"url":"https://a.test"}',
  ]);
  expect(parse(archive)).toEqual([
    { method: 'GET', path: '/asset/{id}', sample: '/asset/new1x2y3?a=b', body: {} },
    { method: 'POST', path: '/webhook', body: {} },
  ]);
});

test('a HAR that a mock exported names what no operation answered, wherever the mock was', () => {
  const { log } = har(['GET http://localhost:4100/api/user/me'], { _livestream: { number: 1 } });
  const media = har(['GET http://localhost:4100/hls/a/0.ts'], {
    _livestream: { number: 2, operation: 'liveSegment' },
  });
  const entries = [...log.entries, ...media.log.entries];
  for (const base of [baseUrl, 'https://service.test']) {
    expect(parse({ log: { entries } }, base)).toMatchObject([{ path: '/user/me' }]);
  }
});

test.each([
  ['', 'expected a route that is not part of the interface, got none'],
  ['GET /stream', 'expected a route that is not part of the interface, got none'],
  ...[
    'FETCH /me',
    'POST /webhook {"name"',
    'GET /../secret',
    'GET /a/%2e%2E/%2e./secret',
    'GET !/a/..\\..\\secret',
    'openapi: 3.1.0',
  ].map((line) => [
    `GET /user\n${line}`,
    `line 2: expected a line such as GET /user/me or GET !/healthz, or an OpenAPI document or a HAR as JSON, got ${JSON.stringify(line)}`,
  ]),
  ...['https://other.test/a', 'https://service.test@other.test/a', 'http://service.test/a'].map(
    (address) => [
      `GET ${address}`,
      `line 1: expected an address of https://service.test, got "GET ${address}"`,
    ],
  ),
  ...['POST !/a', 'HEAD https://service.test/a'].map((line) => [
    line,
    `line 1: expected GET for a path outside the base URL, got ${JSON.stringify(line)}`,
  ]),
  ['{}', 'expected an OpenAPI document or a HAR, got other JSON'],
  ['{"log":{"entries":[1]}}', 'log.entries[0]: expected an object'],
])('%j is refused in a sentence', (text, sentence) => {
  expect(() => parse(text)).toThrow(new TypeError(sentence));
});
