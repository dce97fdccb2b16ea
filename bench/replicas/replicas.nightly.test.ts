import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// Not in test:quick: it runs the build.
const script = fileURLToPath(new URL('replicas.ts', import.meta.url));

test('of two replicas behind HAProxy one is killed: nothing is lost, and every world answers again', async () => {
  const args = ['--import', 'tsx', script, '--worlds', '20', '--seconds', '1'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^kill -9 of a replica: [1-9]\d* worlds moved to the other one/m);
  expect(stdout).toMatch(/^[1-9]\d* acknowledged changes, 0 lost$/m);
}, 90_000);
