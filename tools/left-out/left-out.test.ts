import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);

test('tests whose programs are missing are left out, which the last line counts', async () => {
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1' };
  const options = { cwd: import.meta.dirname, env };
  // It fails unless the run ends green.
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'run'], options);
  expect(stdout).toMatch(
    /^Not found here: a Chromium browser, ffmpeg, ffprobe, a Redis server, HAProxy\. "npm run test:setup"/m,
  );
  expect(stdout).toMatch(/✓ tools\/left-out\/needs\.spec\.ts > needs no program/);
  expect(stdout).toMatch(/1 passed \| 2 skipped/);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('Tests left out for want of a program: 2.');
});
