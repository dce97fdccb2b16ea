import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('bench.ts', import.meta.url));

test('the bench measures the suite, and fails unless it reaches its goal', () => {
  const args = ['--import', 'tsx', script, '--quick', '--only', 'check'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toContain(`, Node ${process.version}, `);
  const row = /^\| check --mock \| at most 1 s \| [\d.]+ s \| (yes|no) \|$/m.exec(stdout);
  expect(status).toBe(row?.[1] === 'yes' ? 0 : 1);
  expect(/goals were not reached: check --mock/.test(stderr)).toBe(row?.[1] === 'no');
});
