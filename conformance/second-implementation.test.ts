import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { run } from './run.ts';
import { serveSecondImplementation } from './second-implementation.test-support.mjs';
import { exitStatus } from './verdict.ts';

const apiKey = 'an-odd/key+of=its.own';
const seconds = 8.24;
const folder = mkdtempSync(join(tmpdir(), 'second-implementation-'));

beforeAll(() => {
  const ffmpeg = (...args: string[]): Buffer =>
    execFileSync(inject('programs').ffmpeg, ['-loglevel', 'error', ...args], { cwd: folder });
  const source = ['-f', 'lavfi', '-i', `testsrc=size=160x90:rate=25:duration=${seconds}`];
  ffmpeg(...source, '-pix_fmt', 'yuv420p', '-g', '50', 'source.mp4');
  const hls = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0'];
  ffmpeg('-i', 'source.mp4', '-c', 'copy', ...hls, 'index.m3u8');
});

afterAll(() => rmSync(folder, { recursive: true }));

test('another implementation of the interface is conformant', async () => {
  const { baseUrl, controlUrl } = await serve();
  const report = await run({ baseUrl, apiKey, provider: { controlUrl }, patience: 5_000 });
  const open = report.results.filter(({ outcome }) => outcome !== 'pass');
  expect(open.map(({ id, outcome, message }) => [id, outcome, message])).toEqual([
    ['RECORD-17', 'untested', expect.any(String)],
  ]);
  expect(report.reasons).toEqual([]);
  expect(report.verdict).toBe('conformant');
  expect(exitStatus(report)).toBe(0);
  expect(report.leftBehind.length).toBeGreaterThan(10);
});

test('without a provider another implementation is incomplete, and nothing fails', async () => {
  const { baseUrl } = await serve();
  const report = await run({ baseUrl, apiKey });
  expect(report.verdict).toBe('incomplete');
  expect(exitStatus(report)).toBe(2);
  expect(report.results.filter(({ outcome }) => ['fail', 'error'].includes(outcome))).toEqual([]);
  expect(report.reasons.join('\n')).toMatch(/add --control-url, --ingest-command or --manual/);
});

async function serve(): ReturnType<typeof serveSecondImplementation> {
  const server = await serveSecondImplementation({ folder, seconds, apiKey });
  onTestFinished(() => server.close());
  return server;
}
