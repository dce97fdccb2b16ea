import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../conformance/run.ts';
import { makeMedia } from '../conformance/second-implementation-media.test-support.ts';
import { program } from '../tools/program.test-support.ts';
import { seconds, serveUnlike } from './unlike-service.test-support.ts';

test('a service that differs from the mock wherever it may conforms to the interface', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unlike-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  makeMedia(program('ffmpeg'), folder, seconds);
  const { baseUrl, controlUrl, apiKey } = await serveUnlike(folder);
  const report = await run({ baseUrl, apiKey, provider: { controlUrl } });
  const open = report.results.filter(({ outcome }) => outcome !== 'pass');
  expect(open.map(({ id, outcome }) => ({ id, outcome }))).toEqual([
    { id: 'RECORD-17', outcome: 'untested' },
  ]);
  expect(report.verdict).toBe('conformant');
});
