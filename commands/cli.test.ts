import { exec } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { version } from '../package.json' with { type: 'json' };
import {
  runCommand,
  type Serving,
  startServing,
  startTalking,
} from '../tools/command-line.test-support.ts';
import { startServingProcess } from '../tools/process.test-support.ts';

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
  expect(said).toMatch(/API key +the one in --api-key\n/);
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
    stderr: `livestream-mock: option --port: cannot listen on 127.0.0.1, port ${port}: the port is in use; choose another, or 0 for any free one\n`,
  });
});

test('wrong arguments end with status 3, and a sentence says what was expected', async () => {
  const file = 'golden/wrong-arguments.txt';
  const transcript = readFileSync(new URL(file, import.meta.url), 'utf8');
  let said = '';
  for (const [prompt, line = ''] of transcript.matchAll(/^\$ livestream-mock (.*)\n/gm)) {
    const { status, stdout, stderr } = await runCommand(...line.split(' '));
    expect([line, status, stdout]).toEqual([line, 3, '']);
    said += prompt + stderr;
  }
  await expect(said).toMatchFileSnapshot(file);
});

test('--version prints the version', async () => {
  expect(await runCommand('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('the help explains every option of every command, and each command has its own part', async () => {
  const { status, stdout } = await runCommand('--help');
  expect(status).toBe(0);
  await expect(stdout).toMatchFileSnapshot('golden/help.txt');
  expect((await runCommand()).stdout).toBe(stdout);
  const parts = stdout.split(/\n(?=livestream-mock )/).slice(1, -2);
  for (const part of parts) {
    const [, command = ''] = /^livestream-mock (\w+)/.exec(part) ?? [];
    expect(`${(await runCommand(command, '--help')).stdout}`).toBe(`Usage:\n\n${part}`);
  }
});

function curlLineIn(banner: string): string {
  return /curl .*/.exec(banner)?.[0] ?? '';
}

async function listStreams({ baseUrl, apiKey }: Serving): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/stream`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return answer.json();
}
