import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { ClientReport } from '../../conformance/clients/client-report.ts';
import { variantTrials } from '../../conformance/clients/trials.ts';
import { startProcess } from '../../tools/process.test-support.ts';
import { program } from '../../tools/program.test-support.ts';
import { temporaryFile, temporaryFolder } from '../../tools/temporary.test-support.ts';
import { startSite } from './site.test-support.ts';

const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');

test('the app survives every legal variant that its Playwright tests meet', async () => {
  // Nothing listens there: only the fixture of the tests can answer.
  const site = await startSite('serve', 'https://livestream.test');
  const file = temporaryFile('report.json');
  // Those that are apart lack what the app needs, and do not count.
  const counted = variantTrials().filter(({ isApart }) => !isApart);
  const only = counted.flatMap(({ name }) => ['--only', name]);
  const tests = ['test', '--config', import.meta.dirname, '--output', temporaryFolder()];
  const { finished } = startProcess(
    ['check-client', ...only, '--report', file, '--', process.execPath, playwright, ...tests],
    { APP_URL: site.origin, CHROMIUM_PATH: program('browser') },
  );
  const { status, stdout } = await finished;
  await site.close();
  expect(status, stdout).toBe(0);
  const { results }: ClientReport = JSON.parse(readFileSync(file, 'utf8'));
  expect(results.filter(({ outcome }) => outcome === 'survived').length).toBeGreaterThan(40);
});
