import { exec } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { refusedPorts } from '../mocks/adapters/node/refused-ports.ts';
import { version } from '../package.json' with { type: 'json' };
import {
  runCommand,
  type Serving,
  startServing,
  startTalking,
} from '../tools/command-line.test-support.ts';
import { startServingProcess } from '../tools/process.test-support.ts';
import { checkOptions, serveOptions } from './options.ts';

test('serve prints on one line of JSON where it listens', async () => {
  const server = await startServing();
  expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(server.controlUrl).toBe(server.baseUrl.replace('/api', '/_mock'));
  expect(server.apiKey).toBe('test-demo');
});

test('serve shows the demo world by default, and options change it', async () => {
  const demo = await startServing();
  const crowded = await startServing('--world', 'crowded', '--streams', '7', '--prefix', '/v1');
  expect(await listStreams(demo)).toHaveLength(6);
  expect(crowded.baseUrl).toMatch(/\/v1$/);
  expect(await listStreams(crowded)).toHaveLength(7);
});

test('with exact API keys, all others are refused', async () => {
  const server = await startServing('--api-key', 'key-one', '--api-key', 'key-two');
  const statuses = ['key-one', 'key-two', 'test-demo'].map(async (apiKey) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    return (await fetch(`${server.baseUrl}/stream`, { headers })).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
});

test.each([[[]], [['--json']]])('a given API key is not printed, with %j', async (options) => {
  const { said, stop } = await startTalking('--api-key', 'test-given', ...options);
  const { stdout, stderr } = await stop();
  expect(said + stdout + stderr).not.toContain('given');
});

test('the JSON line has no API key where one was given', async () => {
  expect((await startServing('--api-key', 'key-one')).apiKey).toBeNull();
});

test("the banner's curl line takes a given API key from the environment", async () => {
  const { said } = await startTalking('--api-key', 'key-one');
  expect(said).toMatch(/API key +one that you gave\n/);
  const env = { ...process.env, LIVESTREAM_API_KEY: 'key-one' };
  const { stdout } = await promisify(exec)(`${curlLineIn(said)} --silent --fail`, { env });
  expect(JSON.parse(stdout)).toHaveLength(6);
});

test("the banner's curl line works when pasted", async () => {
  const { said } = await startTalking();
  expect(said).toMatch(/base URL +http:\/\/127\.0\.0\.1:\d+\/api\n/);
  expect(said).toMatch(/API key +test-demo /);
  expect(said).toMatch(/dashboard +http:\/\/127\.0\.0\.1:\d+\/\n/);
  const { stdout } = await promisify(exec)(`${curlLineIn(said)} --silent --fail`);
  expect(JSON.parse(stdout)).toHaveLength(6);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s stops the server, whose clients may still be connected and receiving',
  async (signal) => {
    const server = await startServingProcess();
    const headers = { authorization: 'Bearer test-demo' };
    const events = await fetch(`${server.controlUrl}/events`, { headers });
    expect(events.status).toBe(200);
    expect(await server.stop(signal)).toMatchObject({ status: 0, stderr: '' });
    await expect(events.text()).rejects.toThrow('terminated');
  },
);

test('a port in use is an error of one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await runCommand('serve', '--port', String(port))).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: option --port: port ${port} of 127.0.0.1 is in use; choose another, or 0 for any free one\n`,
  });
});

test.each([[[]], [['--json']]])(
  'a port that browsers refuse is warned of, with %j',
  async (options) => {
    const port = await freeRefusedPort();
    const { said, stop } = await startTalking('--port', String(port), ...options);
    const { stderr } = await stop();
    expect(said + stderr).toContain(
      `Browsers and fetch refuse port ${port} ("unsafe port", "bad port"): choose another with --port.\n`,
    );
  },
);

test.each([
  {
    args: ['serve', '--port', '0', '--prot', '80'],
    sentence: 'option --prot: expected a known option, perhaps --port',
  },
  {
    args: ['serve', '--port', '0', '--port'],
    sentence: 'option --port: expected a value, got none',
  },
  {
    args: ['serve', '--port', '0', '--json=yes'],
    sentence: 'option --json: expected no value, got one',
  },
  {
    args: ['serve', '--port', 'x'],
    sentence: 'option --port: expected a whole number from 0 to 65535, got "x"',
  },
  {
    args: ['serve', '--port', '0', '--host', '192.0.2.1'],
    sentence: 'option --host: 192.0.2.1 is not an address of this machine',
  },
  {
    args: ['serve', '--port', '0', '--world', 'big'],
    sentence:
      'option --world: expected one of empty, demo, crowded, or a file with an exported state; big: the file does not exist',
  },
  {
    args: ['serve', '--port', '0', '--world', 'crowded', '--streams', 'many'],
    sentence: 'option --streams: expected a whole number from 1 to 100000, got "many"',
  },
  {
    args: ['serve', '--port', '0', '--world', 'crowded', '--streams', '0'],
    sentence: 'option --streams: expected a whole number from 1 to 100000, got "0"',
  },
  {
    args: ['serve', '--port', '0', '--streams', '9'],
    sentence: 'option --streams: expected --world crowded beside it, got demo',
  },
  {
    args: ['serve', '--port', '0', '--prefix', 'api'],
    sentence: 'option --prefix: expected a path such as /api, got "api"',
  },
  {
    args: ['serve', '--port', '0', '--api-key', ''],
    sentence: 'option --api-key: expected at least one key, each of visible ASCII characters',
  },
  {
    args: ['serve', '--port', '0', '--recording-delay', 'soon'],
    sentence:
      'option --recording-delay: expected a number of milliseconds, or a text such as "500ms", "1s", "10m", "2h" or "1d", from 0 to 366 days, got "soon"',
  },
  {
    args: ['sevre'],
    sentence: 'command: expected one of serve, check, learn, compare, render, got "sevre"',
  },
  {
    args: ['serve', '--port', '0', 'now'],
    sentence: 'arguments: expected options only, got "now"',
  },
])('$args ends with status 3 and says what was expected', async ({ args, sentence }) => {
  expect(await runCommand(...args)).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: ${sentence}\n`,
  });
});

test('--version prints the version', async () => {
  expect(await runCommand('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  { args: [], options: { ...serveOptions, ...checkOptions }, other: '--nothing' },
  { args: ['--help'], options: { ...serveOptions, ...checkOptions }, other: '--nothing' },
  { args: ['serve', '--help'], options: serveOptions, other: '--base-url' },
  { args: ['check', '--help'], options: checkOptions, other: '--port' },
])('$args explains each of its options and no other', async ({ args, options, other }) => {
  const { status, stdout } = await runCommand(...args);
  expect(status).toBe(0);
  expect(stdout).not.toContain(other);
  for (const [name, { help }] of Object.entries(options)) {
    expect(stdout).toMatch(new RegExp(`^  --${name} `, 'm'));
    const [first = ''] = help.split('\n');
    // The default comes after a space.
    expect(stdout.split(first)[1]).toMatch(/^\s/);
  }
});

/** A port that browsers refuse and at which nothing listens. */
async function freeRefusedPort(): Promise<number> {
  for (const port of [...refusedPorts].filter((one) => one > 1024)) {
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.close();
    if (isFree) return port;
  }
  throw new Error('Every port that browsers refuse is taken.');
}

function curlLineIn(banner: string): string {
  return /curl .*/.exec(banner)?.[0] ?? '';
}

async function listStreams({ baseUrl, apiKey }: Serving): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/stream`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return answer.json();
}
