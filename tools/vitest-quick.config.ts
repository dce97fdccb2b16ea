/**
 * `npm run test:quick -- mocks/faults` runs the tests of a folder that need no build, browser or
 * ffmpeg. So it builds and installs nothing. Without a folder it runs those of the mock's rules.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');
const slow = /\bprogram\('|\bdist\/|programs\.ts'|\/\/ Not in test:quick/;

/** Whether a test, or the test support it imports, needs one of these or says that it is slow. */
function isSlow(file: string): boolean {
  if (file.endsWith('.nightly.test.ts')) return true;
  const source = readFileSync(file, 'utf8');
  if (slow.test(source)) return true;
  return [...source.matchAll(/from '(\.[^']+\.test-support\.ts)'/g)].some(([, support = '']) =>
    isSlow(join(dirname(file), support)),
  );
}

// Each argument that is no option is a part of a path, but for the first: the command `run`.
const isNamed = process.argv.slice(2).filter((arg) => !arg.startsWith('-')).length > 1;
const rules = /^(interface|fixtures|mocks\/(service|state|faults))\//;

const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'];
const tests = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).trim().split('\n');

const config: ViteUserConfig = {
  test: {
    root,
    include: tests.filter((file) => (isNamed || rules.test(file)) && !isSlow(join(root, file))),
    // One process for all of them halves the time. Elsewhere some tests replace globals.
    isolate: isNamed,
    // By default one core would stay idle.
    maxWorkers: 2,
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
