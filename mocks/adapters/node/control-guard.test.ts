import { describe, expect, onTestFinished, test } from 'vitest';
import { statusesOf, talk } from '../../http/sockets.test-support.ts';
import { createMock } from '../../mock.ts';
import { type ServeOptions, serve } from './node.ts';

/** Reads the clock of a served mock by a request with these headers. */
async function readClock(headers: (port: number) => string[], options?: ServeOptions) {
  const server = await serve(createMock(), options);
  onTestFinished(() => server.close());
  const port = Number(new URL(server.origin).port);
  return send(port, 'GET /_mock/clock HTTP/1.1', headers(port));
}

async function send(port: number, line: string, headers: readonly string[]) {
  const sent = [line, ...headers, 'Authorization: Bearer test-demo', 'Connection: close', '', ''];
  const response = await talk(port, { bytes: sent.join('\r\n'), after: 'wait' });
  return { status: statusesOf(response)[0], response };
}

describe('the control API answers', () => {
  test.each([
    ['the server’s address', (port: number) => [`Host: 127.0.0.1:${port}`]],
    ['localhost', (port: number) => [`Host: localhost:${port}`]],
    ['a name below localhost', (port: number) => [`Host: app.localhost:${port}`]],
    ['an IPv6 address', (port: number) => [`Host: [::1]:${port}`]],
    [
      'a page of its own',
      (port: number) => [`Host: 127.0.0.1:${port}`, `Origin: http://127.0.0.1:${port}`],
    ],
  ])('to %s', async (_, headers) => {
    expect((await readClock(headers)).status).toBe(200);
  });

  test('to a page of an origin that is allowed', async () => {
    const page = 'http://localhost:5173';
    const headers = (port: number) => [`Host: 127.0.0.1:${port}`, `Origin: ${page}`];
    expect((await readClock(headers)).status).toBe(403);
    expect((await readClock(headers, { controlOrigins: [page] })).status).toBe(200);
  });
});

describe('a host that a control origin names', () => {
  const controlOrigins = ['http://mock:4100'];

  test('is allowed, and a refusal says how', async () => {
    const { status, response } = await readClock(() => ['Host: mock:4100']);
    expect(status).toBe(403);
    expect(response).toContain(
      'got \\"mock:4100\\"; serve --control-origin http://mock:4100 allows it',
    );
    expect((await readClock(() => ['Host: mock:4100'], { controlOrigins })).status).toBe(200);
  });

  test('is allowed at its port only', async () => {
    expect((await readClock(() => ['Host: mock:99'], { controlOrigins })).status).toBe(403);
  });
});

describe('the control API refuses', () => {
  test('a page of another origin, and says how to allow it', async () => {
    const { status, response } = await readClock((port) => [
      `Host: 127.0.0.1:${port}`,
      'Origin: https://evil.test',
    ]);
    expect(status).toBe(403);
    expect(response).toMatch(
      /header origin: expected http:\/\/127\.0\.0\.1:\d+ for the control API, got \\"https:\/\/evil\.test\\"; serve --control-origin allows/,
    );
  });

  test.each([
    ['another port', (port: number) => [`Host: 127.0.0.1:${port}`, 'Origin: http://127.0.0.1:1']],
    ['no origin of its own', (port: number) => [`Host: 127.0.0.1:${port}`, 'Origin: null']],
  ])('a page of %s', async (_, headers) => {
    expect((await readClock(headers)).status).toBe(403);
  });

  test('a host name that was made to resolve to the server', async () => {
    const { status, response } = await readClock((port) => [
      `Host: evil.test:${port}`,
      `Origin: http://evil.test:${port}`,
    ]);
    expect(status).toBe(403);
    expect(response).toContain(
      'header host: expected localhost or an IP address for the control API, got \\"evil.test:',
    );
  });

  test.each(['/%5Fmock/clock', '/_moc%6b/clock', '/x/../_mock/clock', '/_mock/clock?a=1'])(
    'a path that is written %s',
    async (path) => {
      const server = await serve(createMock());
      onTestFinished(() => server.close());
      const { status } = await send(Number(new URL(server.origin).port), `POST ${path} HTTP/1.1`, [
        'Host: evil.test',
        'Content-Length: 0',
      ]);
      expect(status).toBe(403);
    },
  );
});

test('pages of any origin may use the interface itself', async () => {
  const server = await serve(createMock());
  onTestFinished(() => server.close());
  const { status } = await send(Number(new URL(server.origin).port), 'GET /api/stream HTTP/1.1', [
    'Host: 127.0.0.1',
    'Origin: https://app.test',
  ]);
  expect(status).toBe(200);
});

test.each([
  ['a prefix that begins alike', 'GET /_mocks/stream HTTP/1.1'],
  ['a query that names the control API', 'GET /api/stream?a=/_mock/clock HTTP/1.1'],
  ['a file of the dashboard', 'GET /_mock/dashboard/icon.svg HTTP/1.1'],
])('%s is not the control API', async (_, line) => {
  const server = await serve(createMock({ prefix: line.includes('_mocks') ? '/_mocks' : '/api' }));
  onTestFinished(() => server.close());
  const { status } = await send(Number(new URL(server.origin).port), line, ['Host: mock:4100']);
  expect(status).toBe(200);
});
