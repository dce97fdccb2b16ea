import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock.ts';
import { banner, jsonBanner } from './banner.ts';
import { type StartOptions, startServer } from './http-server.ts';

const headers = { authorization: 'Bearer test-demo' };
const dialect = { dialect: 3, behaviours: { 'create.location': 'present' } } as const;

async function start(mediaOrigin: string | undefined, options: StartOptions) {
  const address = mediaOrigin === undefined ? {} : { mediaOrigin };
  const mock = createMock({ world: 'demo', dialect, now: Date.now, ...address });
  const server = await startServer(mock, options);
  onTestFinished(() => server.close());
  return { mock, server };
}

/** The scheme and host of each address in a text that is not the journal's. */
function originsIn(text: string): string[] {
  return [...new Set(text.match(/\b(https?|rtmp):\/\/(\[[\d:a-f]+\]|[^/:\s"]+)/g))];
}

/** Everything that a server says where addresses can be. */
async function everythingSaid(mediaOrigin: string | undefined, options: StartOptions) {
  const { mock, server } = await start(mediaOrigin, options);
  const read = async (path: string): Promise<string> => {
    const response = await fetch(server.origin + path, { headers });
    return `${await response.text()} ${response.headers.get('link')}`;
  };
  const created = await fetch(`${server.baseUrl}/stream`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Harbour' }),
  });
  const world = await mock.world();
  const live = world.streams().find(({ isActive }) => isActive);
  return [
    banner(mock, server, { world: 'demo' }),
    jsonBanner(mock, server),
    await read('/api/session?limit=2'),
    await read('/api/stream?limit=2'),
    await read(`/api/playback/${live?.playbackId}`),
    await read('/openapi.json').then((text) =>
      JSON.stringify(JSON.parse(text.slice(0, -5)).servers),
    ),
    await read('/_mock/ingest'),
    await read('/_mock/requests'),
    String(created.headers.get('location')),
    JSON.stringify(world.sessions()),
  ].map(originsIn);
}

const encoders = { rtmp: 0, whip: true };

test.each([
  ['the request', undefined, {}, 'http://127.0.0.1', 'rtmp://127.0.0.1'],
  ['TLS', 'https://mock.example', {}, 'https://mock.example', 'rtmp://127.0.0.1'],
  [
    'TLS and other machines',
    'https://mock.example:8443',
    { host: '0.0.0.0' },
    'https://mock.example',
    'rtmp://mock.example',
  ],
  ['every IPv4 address', undefined, { host: '0.0.0.0' }, 'http://127.0.0.1', 'rtmp://127.0.0.1'],
  ['every address', undefined, { host: '::' }, 'http://[::1]', 'rtmp://[::1]'],
])(
  'behind %s, every address is one that clients can open',
  async (_, origin, options, web, rtmp) => {
    const said = await everythingSaid(origin, { ...options, ...encoders });
    const both = [web, rtmp].sort();
    expect(said.map((origins) => origins.sort())).toEqual([
      both,
      both,
      [web],
      [web],
      [web],
      [web],
      both,
      [web],
      [web],
      [web],
    ]);
  },
);

test('the origin behind TLS may use the control API', async () => {
  const { server } = await start('https://mock.example', {});
  const sent = { ...headers, origin: 'https://mock.example' };
  expect((await fetch(`${server.controlUrl}/clock`, { headers: sent })).status).toBe(200);
  const other = { ...headers, origin: 'https://other.example' };
  expect((await fetch(`${server.controlUrl}/clock`, { headers: other })).status).toBe(403);
});

test('a person is warned that others can reach a server, and a program finds it on this machine', async () => {
  const { mock, server } = await start(undefined, { host: '0.0.0.0' });
  const text = banner(mock, server, { world: 'demo' });
  expect(text).toMatch(/base URL +http:\/\/127\.0\.0\.1:\d+\/api\n/);
  expect(text).toContain('It listens on every address of this machine: anyone who can reach it');
  expect((await fetch(`${server.baseUrl}/stream`, { headers })).status).toBe(200);
});
