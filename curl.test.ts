import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { toCurl } from './curl.ts';

interface Came {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A server on loopback, and all that it is asked. */
async function listen(): Promise<{ origin: string; came: Came[] }> {
  const came: Came[] = [];
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    came.push({ method, path, headers, body });
    response.setHeader('content-length', 2).end(method === 'HEAD' ? undefined : '{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, came };
}

/** Runs a line in a new folder; returns the files in it afterwards, and what the line printed. */
async function paste(line: string): Promise<{ files: string[]; printed: string }> {
  const cwd = mkdtempSync(join(tmpdir(), 'curl-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd, timeout: 10_000 });
  return { files: readdirSync(cwd), printed: stdout };
}

const sent = { method: 'GET', headers: new Headers() };

const hostile = [
  "'; touch x; '",
  "it's a 'quoted' text",
  '"; touch x; "',
  '$(touch x)',
  '`touch x`',
  '& touch x; #',
  '> x',
  '-o x',
  '--output x',
  '@/etc/passwd',
  '~ * ? ! {a,b} [1-3] $HOME \\',
] as const;

test('a pasted line sends the request, and shows the response with its headers', async () => {
  const { origin, came } = await listen();
  const headers = new Headers({ authorization: 'Bearer test-demo', 'x-empty': '' });
  const url = new URL(`${origin}/stream?record=1`);
  const line = toCurl({ method: 'PATCH', url, headers, body: '{"record": true}' });
  expect((await paste(line)).printed).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\{\}$/s);
  expect(came).toMatchObject([
    {
      method: 'PATCH',
      path: '/stream?record=1',
      headers: { authorization: 'Bearer test-demo', 'x-empty': '' },
      body: '{"record": true}',
    },
  ]);
});

test.each<[string, string?]>([['GET'], ['GET', 'a body'], ['POST', ''], ['DELETE']])(
  'a %s with the body %j is sent as such',
  async (method, body) => {
    const { origin, came } = await listen();
    await paste(toCurl({ ...sent, method, url: new URL(origin), body }));
    expect(came).toMatchObject([{ method, body: body ?? '' }]);
  },
);

test('a HEAD does not wait for a body', async () => {
  const { origin, came } = await listen();
  const url = new URL(origin);
  await paste(toCurl({ ...sent, method: 'HEAD', url, body: 'none is sent' }));
  expect(came).toMatchObject([{ method: 'HEAD', body: '' }]);
});

test.each([...hostile, 'POST; touch x #', '\ntouch x\n', ''])(
  'the method %j is taken for no command and no option',
  async (method) => {
    const { origin } = await listen();
    const { files } = await paste(toCurl({ ...sent, method, url: new URL(origin) }));
    expect(files).toEqual([]);
  },
);

test.each(hostile)('an address with %j is requested, and nothing else', async (text) => {
  const { origin, came } = await listen();
  const url = new URL(`/${text}?${text}`, origin);
  expect((await paste(toCurl({ ...sent, url }))).files).toEqual([]);
  expect(came.map(({ path }) => path)).toEqual([url.pathname + url.search]);
});

test.each(hostile)('a header with %j is sent, and nothing else', async (text) => {
  const { origin, came } = await listen();
  const headers = new Headers({ 'x-text': text, "x-'`$&|": 'a name' });
  expect((await paste(toCurl({ ...sent, headers, url: new URL(origin) }))).files).toEqual([]);
  expect(came.map((one) => one.headers)).toMatchObject([{ 'x-text': text, "x-'`$&|": 'a name' }]);
});

test.each([...hostile, '\n touch x\n', '\ttab\r\n', 'ü 🙂'])(
  'the body %j is sent, and nothing else',
  async (body) => {
    const { origin, came } = await listen();
    const line = toCurl({ ...sent, method: 'POST', body, url: new URL(origin) });
    expect((await paste(line)).files).toEqual([]);
    expect(came).toMatchObject([{ method: 'POST', body }]);
  },
);

test('control characters, which a shell refuses or a terminal takes for keys, are left out', async () => {
  const { origin, came } = await listen();
  const body = 'a\0b\x03touch x\n\x1b[201~c\x7f\x9b';
  const line = toCurl({ ...sent, method: 'POST', body, url: new URL(origin) });
  expect((await paste(line)).files).toEqual([]);
  expect(came).toMatchObject([{ body: 'abtouch x\n[201~c' }]);
});
