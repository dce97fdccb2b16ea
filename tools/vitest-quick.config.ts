/**
 * `npm run test:quick -- mocks/faults` runs the tests of a folder that need no build, browser or
 * ffmpeg. So it builds and installs nothing.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');
const slow = /inject\('programs'\)|\bdist\/|programs\.ts'|\/\/ Not in test:quick/;

/** Whether a test, or the test support it imports, needs one of these or says that it is slow. */
function isSlow(file: string): boolean {
  if (file.endsWith('.nightly.test.ts')) return true;
  const source = readFileSync(file, 'utf8');
  if (slow.test(source)) return true;
  return [...source.matchAll(/from '(\.[^']+\.test-support\.ts)'/g)].some(([, support = '']) =>
    isSlow(join(dirname(file), support)),
  );
}

const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'];
const tests = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).trim().split('\n');

const config: ViteUserConfig = {
  test: {
    root,
    include: tests.filter((file) => !isSlow(join(root, file))),
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
  },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
