import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Serving, startServing } from '../tools/command-line.test-support.ts';
import { startServingOnTerminal } from '../tools/process.test-support.ts';

/** A world that leaves no room for a second one. */
const large = ['--world', 'crowded', '--streams', '2000', '--max-records', '8000'];

/** The texts that a status line showed, one after the other. */
function linesShown(stderr: string): string[] {
  const [before, ...lines] = stderr.split('\r\u001b[2K');
  expect(before).toBe('');
  return lines;
}

async function statusFor({ baseUrl }: Serving, apiKey: string): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return (await fetch(`${baseUrl}/stream?limit=1`, { headers })).status;
}

test('a large world of a given key is made before the first request', async () => {
  const server = await startServing(...large);
  expect(await statusFor(server, 'test-other')).toBe(429);
  expect(await statusFor(server, 'test-demo')).toBe(200);
  expect((await server.stop()).stderr).toBe('');
});

test('a terminal shows that a file is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-large-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'worlds');
  const first = await startServing(...large, '--data', path);
  expect(await statusFor(first, 'test-demo')).toBe(200);
  await first.stop();
  const second = await startServingOnTerminal('--data', path);
  expect(await statusFor(second, 'test-demo')).toBe(200);
  expect(linesShown((await second.stop()).stderr)).toEqual([`reading ${path}`, '']);
});

test('a small world shows nothing on a terminal', async () => {
  const server = await startServingOnTerminal();
  expect(await statusFor(server, 'test-demo')).toBe(200);
  expect((await server.stop()).stderr).toBe('');
});
