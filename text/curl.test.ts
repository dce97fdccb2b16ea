import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serveHttp } from '../target/servers.test-support.ts';
import { temporaryFolder } from '../tools/temporary.test-support.ts';
import { toCurl } from './curl.ts';

/** What a request may have that is not the default. */
interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Runs the line for a request in a new folder: what a server gets, what is printed, and the files then. */
async function paste({ method = 'GET', path = '/', headers = {}, body }: Sent) {
  const came: object[] = [];
  const { origin } = await serveHttp(async (request, response) => {
    const { method, url, headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    came.push({ method, path: url, headers, body });
    response.setHeader('content-length', 2).end(method === 'HEAD' ? undefined : '{}');
  });
  const url = new URL(path, origin);
  const cwd = temporaryFolder();
  const line = toCurl({ method, url, headers: new Headers(headers), body });
  const run = promisify(execFile)('sh', ['-c', line], { cwd, timeout: 10_000 });
  // The server hangs up on an invalid method.
  const { stdout } = await run.catch((exception: { stdout: string }) => exception);
  return { came, printed: stdout, files: readdirSync(cwd), path: url.pathname + url.search };
}

test('a pasted line sends the request, and shows the response with its headers', async () => {
  const headers = { authorization: 'Bearer test-demo', 'x-empty': '' };
  const { came, printed } = await paste({ path: '/api/stream?limit=2', headers });
  expect(came).toMatchObject([{ method: 'GET', path: '/api/stream?limit=2', headers, body: '' }]);
  expect(printed).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{\}$/s);
});

test('a HEAD does not wait for a body', async () => {
  const { came } = await paste({ method: 'HEAD', body: 'none is sent' });
  expect(came).toMatchObject([{ method: 'HEAD', body: '' }]);
});

test.each([
  "'; touch x; '",
  '"; touch x; "',
  '$(touch x)',
  '`touch x`',
  '& touch x; #',
  '> x',
  '-o x',
  '@/etc/passwd',
  '~ * ? ! {a,b} [1-3] $HOME \\',
])('%j is sent as an address, a header or a body, and does nothing else', async (text) => {
  const headers = { 'x-text': text, "x-'`$&|": 'a name' };
  const body = `${text}\n touch x\n\ttab\r\nü 🙂`;
  const sent = await paste({ method: 'POST', path: `/${text}?${text}`, headers, body });
  expect(sent.files).toEqual([]);
  expect(sent.came).toMatchObject([{ method: 'POST', path: sent.path, headers, body }]);
});

test.each(["'; touch x; '", '-o x', 'POST; touch x #', '\ntouch x\n', ''])(
  'the method %j is not taken for a command or an option',
  async (method) => {
    expect((await paste({ method })).files).toEqual([]);
  },
);

test('control characters, which a shell refuses or a terminal takes for keys, are left out', async () => {
  const body = 'a\0b\x03touch x\n\x1b[201~c\x7f\x9b';
  const { came, files } = await paste({ method: 'POST', body });
  expect(files).toEqual([]);
  expect(came).toMatchObject([{ body: 'abtouch x\n[201~c' }]);
});
