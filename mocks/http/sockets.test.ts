import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../adapters/node/http-server.ts';
import { createMock } from '../mock.ts';
import { statusesOf, talk } from './sockets.test-support.ts';

const lines = [
  'GET /api/stream HTTP/9.9',
  'BREW /api/stream HTTP/1.1',
  'PRI * HTTP/2.0',
  'CONNECT a:80 HTTP/1.1',
  '',
  'OPTIONS * HTTP/1.1',
  'GET * HTTP/1.1',
  'GET http://[/ HTTP/1.1',
  'GET ftp://a/ HTTP/1.1',
  'GET ?a HTTP/1.1',
  'GET //evil/../api/stream HTTP/1.1',
  'GET /\\evil HTTP/1.1',
  'GET /%zz%ff HTTP/1.1',
  'GET /api/\0 HTTP/1.1',
  'GET /api/\xff HTTP/1.1',
].map((line) => `${line}\r\nHost: a.test\r\n\r\n`);

const hosts = [
  '',
  'a b',
  'a/b',
  '[::1',
  'a:99999',
  'u:p@a',
  '%41',
  '1.2.3.4.5',
  '\xe9',
  'a\r\nHost: b',
];

const headers = [
  'X: a\0b',
  ': empty',
  'no colon',
  '__proto__: a',
  'Expect: a',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Access-Control-Request-Headers: \xff, \t',
  'a:b\r\n'.repeat(3_000).trimEnd(),
  `X: ${'a'.repeat(40_000)}`,
  'Content-Length: 50\r\n\r\n{"name":"a"}',
  'Content-Length: -5\r\n\r\n{"name":"a"}',
  'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  `Content-Length: 999999999\r\n\r\n${'x'.repeat(150_000)}`,
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}',
  `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}`,
];

const malformed = [
  ...lines,
  ...['/api/stream', '/_mock/clock', '/webrtc/key'].flatMap((path) =>
    hosts.map((host) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
  ),
  ...headers.map(
    (header) =>
      `POST /api/stream HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\n${header}\r\n\r\n`,
  ),
];

test('a header without a name is refused, whichever version of Node reads it', async () => {
  const server = await startServer(createMock());
  onTestFinished(() => server.close());
  const port = Number(new URL(server.origin).port);
  const bytes = 'GET /api/stream HTTP/1.1\r\nHost: a.test\r\n: empty\r\nConnection: close\r\n\r\n';
  expect(statusesOf(await talk(port, { bytes, after: 'end' }))).toEqual([400]);
});

test.each([false, true])(
  'no malformed connection gets an answer that blames the server, which goes on; it owns its process: %s',
  async (ownsProcess) => {
    const server = await startServer(createMock(), { ownsProcess, whip: true });
    onTestFinished(() => server.close());
    const port = Number(new URL(server.origin).port);
    for (const after of ['end', 'destroy'] as const) {
      const answers = await Promise.all(malformed.map((bytes) => talk(port, { bytes, after })));
      for (const answer of answers) {
        expect(statusesOf(answer).filter((status) => status >= 500)).toEqual([]);
        expect(answer).not.toContain('bug in livestream-mock');
      }
    }
    expect((await fetch(`${server.origin}/openapi.json`)).status).toBe(200);
  },
);
