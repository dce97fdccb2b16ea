import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { program } from '../tools/program.test-support.ts';
import { temporaryFolder } from '../tools/temporary.test-support.ts';
import { isViolation, type Report } from './model/report.ts';
import { exitStatus } from './run/verdict.ts';
import { run } from './run-suite.ts';
import { makeMedia, serveSecondImplementation } from './second-implementation.test-support.ts';

const folder = temporaryFolder();

test('another implementation of the interface is conformant', async () => {
  const report = await judge(true);
  const open = report.results.filter(({ outcome }) => !['pass', 'noted'].includes(outcome));
  expect(open.map(({ id, outcome }) => [id, outcome])).toEqual([['RECORD-17', 'untestable']]);
  expect(report).toMatchObject({ reasons: [], verdict: 'conformant' });
  expect(exitStatus(report)).toBe(0);
  // The video in its MPEG-TS segments could be read.
  expect(report.results.find(({ id }) => id === 'MEDIA-8')?.observations).toEqual([]);
});

test('another implementation without a provider of sessions is incomplete, and nothing fails', async () => {
  const report = await judge(false);
  expect(report.verdict).toBe('incomplete');
  expect(exitStatus(report)).toBe(2);
  expect(
    report.results.filter((result) => isViolation(result) || result.outcome === 'error'),
  ).toEqual([]);
  expect(report.reasons.join('\n')).toMatch(/add --control-url, --ingest-command or --manual/);
});

async function judge(goesLive: boolean): Promise<Report> {
  if (readdirSync(folder).length === 0) makeMedia(program('ffmpeg'), folder);
  const { baseUrl, controlUrl, apiKey } = await serveSecondImplementation(folder);
  return run({ baseUrl, apiKey, ...(goesLive && { provider: { controlUrl } }) });
}
