import { expect, onTestFinished, test } from 'vitest';
import { statusesOf, talk } from '../../http/sockets.test-support.ts';
import { createMock } from '../../mock.ts';
import { serve } from './node.ts';

interface Case {
  readonly line?: string;
  /** Headers. PORT stands for the server's port. */
  readonly headers: readonly string[];
  readonly controlOrigins?: readonly string[];
  readonly prefix?: string;
}

/** Sends a request to a served mock: for its clock, unless `line` says otherwise. */
async function send(request: Case): Promise<{ status: number | undefined; response: string }> {
  const { line = 'GET /_mock/clock', headers, controlOrigins = [], prefix = '/api' } = request;
  const server = await serve(createMock({ prefix }), { controlOrigins });
  onTestFinished(() => server.close());
  const { port } = new URL(server.origin);
  const sentHeaders = headers.map((header) => header.replace('PORT', port));
  const head = [`${line} HTTP/1.1`, ...sentHeaders, 'Authorization: Bearer test-demo'];
  const bytes = `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`;
  const response = await talk(Number(port), { bytes, after: 'wait' });
  return { status: statusesOf(response)[0], response };
}

const here = 'Host: 127.0.0.1:PORT';
const page = 'http://localhost:5173';
const mock = 'http://mock:4100';

test.each<[string, number, Case]>([
  ['the server’s address', 200, { headers: [here] }],
  ['localhost', 200, { headers: ['Host: localhost:PORT'] }],
  ['a name below localhost', 200, { headers: ['Host: app.localhost:PORT'] }],
  ['an IPv6 address', 200, { headers: ['Host: [::1]:PORT'] }],
  ['a page of its own', 200, { headers: [here, 'Origin: http://127.0.0.1:PORT'] }],
  ['a page of another origin', 403, { headers: [here, `Origin: ${page}`] }],
  ['one that is allowed', 200, { headers: [here, `Origin: ${page}`], controlOrigins: [page] }],
  ['a page of another port', 403, { headers: [here, 'Origin: http://127.0.0.1:1'] }],
  ['a page of no origin of its own', 403, { headers: [here, 'Origin: null'] }],
  ['a host of another name', 403, { headers: ['Host: mock:4100'] }],
  ['one that is allowed', 200, { headers: ['Host: mock:4100'], controlOrigins: [mock] }],
  [
    'one that is allowed at another port',
    403,
    { headers: ['Host: mock:99'], controlOrigins: [mock] },
  ],
])('the control API answers %s with %i', async (_, status, request) => {
  expect((await send(request)).status).toBe(status);
});

test('the refusal says how to allow a page, and another host name', async () => {
  const [byPage, byHost] = await Promise.all([
    send({ headers: [here, 'Origin: https://evil.test'] }),
    send({ headers: ['Host: evil.test:PORT', 'Origin: http://evil.test:PORT'] }),
  ]);
  expect(byPage.response).toMatch(/got \\"https:\/\/evil\.test\\"; serve --control-origin allows/);
  expect(byHost.response).toMatch(/; serve --control-origin http:\/\/evil\.test:\d+ allows it/);
});

test.each([
  '/%5Fmock/clock',
  '/_moc%6b/clock',
  '/x/../_mock/clock',
  '/_mock/clock?a=1',
  '//_mock/%zz',
  '/_mock/health%2f../clock',
])('it refuses another host however its path is written: %s', async (path) => {
  const headers = ['Host: evil.test', 'Content-Length: 0'];
  expect((await send({ line: `POST ${path}`, headers })).status).toBe(403);
});

test.each<[string, Case]>([
  ['pages of any origin', { line: 'GET /api/stream', headers: [here, 'Origin: https://app.test'] }],
  ['a prefix alike', { line: 'GET /_mocks/stream', headers: ['Host: a'], prefix: '/_mocks' }],
  ['a query alike', { line: 'GET /api/stream?a=/_mock/clock', headers: ['Host: mock:4100'] }],
  ['its health', { line: 'GET /_mock/health', headers: ['Host: mock:4100', `Origin: ${page}`] }],
  ['the dashboard', { line: 'GET /_mock/dashboard/icon.svg', headers: ['Host: mock:4100'] }],
])('what is not the control API is not guarded: %s', async (_, sent) => {
  expect((await send(sent)).status).toBe(200);
});
