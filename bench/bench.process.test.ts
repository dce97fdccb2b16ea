import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('bench.ts', import.meta.url));

test('the bench measures the suite, and says whether it reaches its goal', async () => {
  const args = ['--import', 'tsx', script, '--quick', '--only', 'check'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toContain(`, Node ${process.version}, `);
  expect(stdout).toMatch(/^\| check --mock \| at most 2 s \| [\d.]+ s \| (yes|no) \|$/m);
});
