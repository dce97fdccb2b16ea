import { get } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { statusesOf, talk } from '../../http/sockets.test-support.ts';
import { createMock } from '../../mock.ts';
import { type MockServer, startServer } from './http-server.ts';
import { RawHeaders } from './request-listener.ts';

const authorization = 'Authorization: Bearer test-demo';
const type = 'Content-Type: application/json';

function portOf({ origin }: MockServer): number {
  return Number(new URL(origin).port);
}

test.each([
  ['LocalHost', /^http:\/\/localhost:\d+$/],
  ['::ffff:127.0.0.1', /^http:\/\/\[::ffff:7f00:1\]:\d+$/],
])('a host may be written %s', async (host, origin) => {
  const server = await startServer(createMock(), { host });
  onTestFinished(() => server.close());
  expect(server.origin).toMatch(origin);
  const headers = { authorization: 'Bearer test-demo' };
  expect((await fetch(`${server.controlUrl}/clock`, { headers })).status).toBe(200);
});

test.each(['', 'a b', 'fe80::1%lo'])('an invalid host is refused: "%s"', async (host) => {
  await expect(startServer(createMock(), { host })).rejects.toThrow(
    `host: expected a name or an address such as 127.0.0.1, got "${host}"`,
  );
});

test('an origin that browsers do not send is refused', async () => {
  const refused = startServer(createMock(), { controlOrigins: ['http://localhost:5173/'] });
  await expect(refused).rejects.toThrow(/^controlOrigins: expected .*, got "http:.*:5173\/"$/);
});

test('a server that cannot start stops listening', async () => {
  let origin = '';
  const servedAt = (address: string) => {
    origin = address;
    throw new RangeError('not there');
  };
  await expect(startServer({ ...createMock(), servedAt })).rejects.toThrow('not there');
  await expect(fetch(origin)).rejects.toThrow('fetch failed');
});

test('chunks of a body that arrive together are read together', async () => {
  const text = JSON.stringify({ name: 'a'.repeat(20_000) });
  const lengths: number[] = [];
  const mock = createMock();
  const read = async (request: Request) => {
    for await (const chunk of request.body ?? []) lengths.push(chunk.length);
    return new Response();
  };
  const server = await startServer({ ...mock, fetch: read });
  onTestFinished(() => server.close());
  const head = ['POST /api/stream HTTP/1.1', 'Host: a.test', authorization, type];
  const chunks = [...text].map((character) => `1\r\n${character}\r\n`);
  const bytes = [
    ...head,
    'Connection: close',
    'Transfer-Encoding: chunked',
    '',
    `${chunks.join('')}0\r\n\r\n`,
  ].join('\r\n');
  const answer = await talk(portOf(server), { bytes, after: 'wait' });
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(text.length);
  expect(lengths.length).toBeLessThan(text.length / 100);
  expect(statusesOf(answer)).toEqual([200]);
});

test('a header that is sent twice is read as one', () => {
  const headers = new RawHeaders(['Content-Length', '16', 'X-Twice', 'a', 'x-twice', 'b']);
  expect(headers.get('X-TWICE')).toBe('a, b');
  expect([headers.has('content-length'), headers.has('content-type')]).toEqual([true, false]);
  expect(Object.fromEntries(headers)).toEqual({ 'content-length': '16', 'x-twice': 'a, b' });
});

const raw = ['Host', 'a', 'Cookie', 'b=1', 'cookie', 'c=2', 'X-Twice', 'd', 'x-twice', 'e'];
const ways = {
  'get and has': (headers) =>
    ['HOST', 'cookie', 'x-twice', 'x-none'].map((name) => headers.get(name)),
  'a name that is not valid': (headers) => messageOf(() => headers.get('not valid')),
  'an empty name': (headers) => messageOf(() => headers.has('')),
  keys: (headers) => [...headers.keys()],
  values: (headers) => [...headers.values()],
  entries: (headers) => [...headers.entries()],
  iteration: (headers) => [...headers],
  forEach: (headers) => {
    const visited: unknown[] = [];
    headers.forEach((value, name, all) => {
      visited.push([value, name, all === headers]);
    });
    return visited;
  },
  'a copy': (headers) => [...new Headers(headers)],
  'a request with them': (headers) => [...new Request('http://a.test', { headers }).headers],
  'a change': (headers) => {
    headers.get('host');
    headers.set('x-twice', 'f');
    headers.append('x-new', 'g');
    headers.delete('cookie');
    return [headers.get('x-twice'), headers.has('cookie'), [...headers]];
  },
  getSetCookie: (headers) => headers.getSetCookie(),
  'what a log shows': (headers) => [inspect(headers), inspect({ headers })],
  'its class': (headers) => [headers instanceof Headers, String(headers)],
} as const satisfies Record<string, (headers: Headers) => unknown>;

function messageOf(act: () => unknown): string {
  try {
    return `no error, but ${act()}`;
  } catch (exception) {
    return (exception as Error).name;
  }
}

test.each(Object.entries(ways))(
  'headers as Node received them behave like others: %s',
  (_, use) => {
    const headers = new Headers();
    for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
    expect(use(new RawHeaders(raw))).toEqual(use(headers));
  },
);

test('every member of Headers is there, so that a new one is not forgotten', () => {
  const own = Object.getOwnPropertyNames(RawHeaders.prototype);
  expect(own).toEqual(expect.arrayContaining(Object.getOwnPropertyNames(Headers.prototype)));
});

test('pseudo-headers of HTTP/2 are no headers', () => {
  expect([...new RawHeaders([':path', '/', 'x-a', 'b'])]).toEqual([['x-a', 'b']]);
});

const uses = {
  'reads all its headers': ({ headers }) => [...headers.entries()].length > 0,
  'copies it': (request) => new Request(request.url, request).headers.has('authorization'),
  'copies it with another header': (request) => {
    const headers = { ...Object.fromEntries(request.headers), 'x-a': 'b' };
    return new Request(request.url, { headers }).headers.get('x-a') === 'b';
  },
  'clones it': (request) => request.clone().headers.has('authorization'),
  'changes its headers': ({ headers }) => {
    headers.set('x-a', 'b');
    return headers.get('x-a') === 'b';
  },
  'asks for its class': (request) =>
    request instanceof Request && request.headers instanceof Headers,
  'reads its body': async (request) => (await request.clone().text()) === '{"name":"a"}',
  'reads the body of a copy': async (request) =>
    (await new Request(request.clone()).json()).name === 'a',
} as const satisfies Record<string, (request: Request) => boolean | Promise<boolean>>;

test.each(Object.entries(uses))('a function around the mock %s', async (_, use) => {
  const mock = createMock();
  const used: boolean[] = [];
  const server = await startServer({
    ...mock,
    async fetch(request) {
      used.push(await use(request));
      const response = await mock.fetch(request);
      response.headers.set('x-wrapped', 'yes');
      return new Response(response.clone().body, response);
    },
  });
  onTestFinished(() => server.close());
  const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: '{"name":"a"}' };
  const response = await fetch(`${server.baseUrl}/stream`, sent);
  expect([used, response.status]).toEqual([[true], 201]);
  expect(response.headers.get('x-wrapped')).toBe('yes');
});

test('a server responds even if the timers of its process were replaced', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const server = await startServer(createMock());
  onTestFinished(() => server.close());
  const signal = AbortSignal.timeout(5_000);
  const status = await new Promise((resolve, reject) => {
    get(`${server.origin}/openapi.json`, { signal }, (response) => {
      resolve(response.resume().statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(200);
});

// The second one replaces globals until the process of this file ends.
describe.each([false, true])('on a server that owns its process: %s,', (ownsProcess) => {
  const mock = createMock();
  let server: MockServer;
  beforeAll(async () => {
    server = await startServer(mock, { ownsProcess });
  });
  afterAll(() => server.close());

  /** Sends a request as it is, closes the client's side, and returns the whole response. */
  function send(...lines: string[]): Promise<string> {
    return talk(portOf(server), { bytes: lines.join('\r\n'), after: 'end' });
  }

  test.each([
    ['GET /api/stream HTTP/1.1', 'Host: a b'],
    ['GET /api/stream HTTP/1.1', 'Host: user:secret@a'],
    ['POST /api/stream HTTP/1.1', 'Host: a.123'],
    ['GET /\\evil HTTP/1.1', 'Host: a'],
    ['GET * HTTP/1.1', 'Host: a'],
    ['GET http://[/api/stream HTTP/1.1', 'Host: a'],
  ])('a path and host that form no URL are refused with 400: %s, %s', async (line, host) => {
    const response = await send(line, host, authorization, '', '');
    expect(statusesOf(response)).toEqual([400]);
    expect(response).toContain('\r\naccess-control-allow-origin: *\r\n');
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toEqual({
      errors: [expect.stringMatching(/^.+: expected .+, got .+$/)],
    });
  });

  test.each([
    ['of HTTP/1.0 without a host', 'GET /_mock/clock HTTP/1.0', 'X: a'],
    ['with an empty host', 'GET /_mock/clock HTTP/1.1', 'Host:'],
    ['with an address for a host', 'GET /_mock/clock HTTP/1.1', 'Host: [::1]:80'],
    ['with a whole URL', 'GET http://other.test/api/stream HTTP/1.1', 'Host: a'],
  ])('a request %s is answered', async (_, line, host) => {
    const response = await send(line, host, authorization, 'Connection: close', '', '');
    expect(statusesOf(response)).toEqual([200]);
  });

  test.each(['Content-Length: 999999999', 'Transfer-Encoding: chunked'])(
    'a body that is too long is refused while it is sent: %s',
    async (framing) => {
      const body = `20000\r\n${'x'.repeat(0x20000)}`;
      const bytes = `POST /api/stream HTTP/1.1\r\nHost: a\r\n${authorization}\r\n${type}\r\n${framing}\r\n\r\n${body}`;
      // The client keeps the connection open, so the server has to close it.
      const response = await talk(portOf(server), { bytes, after: 'wait' });
      expect(statusesOf(response)).toEqual([413]);
      expect(response).toContain('body: expected at most 102400 bytes, got more');
    },
  );

  test('a request whose body breaks off changes nothing', async () => {
    const world = await mock.world('test-broken');
    const bytes = `POST /api/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer test-broken\r\n${type}\r\nContent-Length: 20\r\n\r\n{"name":"a"}`;
    expect(statusesOf(await talk(portOf(server), { bytes, after: 'end' }))).toEqual([400]);
    await talk(portOf(server), { bytes, after: 'destroy' });
    expect(world.streams()).toEqual([]);
  });

  test('closing the server closes open connections', async () => {
    const other = await startServer(createMock(), { ownsProcess });
    const bytes = 'GET /_mock/clock HTTP/1.1\r\nHost: a\r\n';
    const waiting = talk(portOf(other), { bytes, after: 'wait' });
    await fetch(`${other.origin}/openapi.json`);
    await other.close();
    expect(await waiting).toBe('');
    await expect(fetch(other.origin)).rejects.toThrow();
  });
});
