import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

// Not in test:quick: the bench measures the build.
const script = fileURLToPath(new URL('bench.ts', import.meta.url));

function bench(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args]);
}

test('the bench measures the start, and writes it as a table and as JSON', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'results.json');
  const { stdout } = await bench('--quick', '--only', 'start', '--no-peers', '--json', file);
  expect(stdout).toMatch(/^\| livestream-mock +\| +\d+/m);
  expect(stdout).toMatch(/^\| start, beside node:http +\| +at most 3 × \| .* × \| +(yes|no) \|/m);
  const { machine, findings } = JSON.parse(readFileSync(file, 'utf8'));
  expect(machine.node).toBe(process.version);
  expect(findings[0].targets[0].figure).toBeGreaterThan(0);
});

test('an unknown part is refused in one sentence', async () => {
  await expect(bench('--only', 'luck')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^option --only: expected one of throughput, .*, got "luck"\n$/),
  });
});
