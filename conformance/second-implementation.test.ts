import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { program } from '../tools/program.test-support.ts';
import { exitStatus } from './run/verdict.ts';
import { run } from './run.ts';
import { serveSecondImplementation } from './second-implementation.test-support.mjs';
import { makeMedia } from './second-implementation-media.test-support.ts';

const apiKey = 'an-odd/key+of=its.own';
const seconds = 8.24;
const folder = mkdtempSync(join(tmpdir(), 'second-implementation-'));

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
  // The video in its MPEG-TS segments could be read.
  expect(report.results.find(({ id }) => id === 'MEDIA-8')?.observations).toEqual([]);
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
  if (readdirSync(folder).length === 0) makeMedia(program('ffmpeg'), folder, seconds);
  const server = await serveSecondImplementation({ folder, seconds, apiKey });
  onTestFinished(() => server.close());
  return server;
}
