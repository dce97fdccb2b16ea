import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// Not in test:quick: the bench measures the build.
const script = fileURLToPath(new URL('bench.ts', import.meta.url));

function bench(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args]);
}

test('the bench measures the suite, and tells whether it reaches its target', async () => {
  const { stdout } = await bench('--quick', '--only', 'check');
  expect(stdout).toContain(`, Node ${process.version}, `);
  expect(stdout).toMatch(/^\| check --mock \| at most 2 s \| +[\d.]+ s \| +\| +(yes|no) \|$/m);
});

test('an unknown part is refused in one sentence', async () => {
  await expect(bench('--only', 'luck')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^option --only: expected one of node-http, .*, got "luck"\n$/),
  });
});
