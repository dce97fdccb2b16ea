import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Stream } from '../interface/types.ts';
import { runCommand, startServing, startTalking } from '../tools/command-line.test-support.ts';
import { program } from '../tools/program.test-support.ts';

test('an encoder goes live before any request has come', async () => {
  const other = await startServing();
  const headers = { authorization: `Bearer ${other.apiKey}` };
  const list = async ({ baseUrl }: { baseUrl: string }): Promise<Stream[]> =>
    (await fetch(`${baseUrl}/stream`, { headers })).json();
  const [idle] = (await list(other)).filter(({ isActive }) => !isActive);
  const serving = await startServing('--rtmp', '0');
  const test = ['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=10', '-t', '1', '-f', 'flv'];
  await promisify(execFile)(program('ffmpeg'), [...test, `${serving.rtmp}/${idle?.streamKey}`]);
  const [again] = (await list(serving)).filter(({ id }) => id === idle?.id);
  expect(again?.sourceSegments).toBeGreaterThan(idle?.sourceSegments ?? 0);
});

test('the banner says where', async () => {
  const { said } = await startTalking('--rtmp=0');
  expect(said).toMatch(/^ {2}RTMP {9}rtmp:\/\/127\.0\.0\.1:\d+\/live\/STREAM_KEY$/m);
});

test('the port of RTMP may be left out', async () => {
  expect((await runCommand('serve', '--port', 'x', '--rtmp')).stderr).toContain('option --port');
  expect((await runCommand('serve', '--rtmp', '--port', 'x')).stderr).toContain('option --port');
});

test('a port for RTMP that is in use is refused in one sentence', async () => {
  const { baseUrl } = await startServing();
  const { port } = new URL(baseUrl);
  const { status, stderr } = await runCommand('serve', '--port', '0', '--rtmp', port);
  expect(status).toBe(3);
  expect(stderr).toContain(
    `option --rtmp: expected a port that is free on 127.0.0.1, got ${port} (EADDRINUSE); 0 picks one`,
  );
});
