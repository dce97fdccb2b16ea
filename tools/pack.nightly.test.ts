import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');

/** Packs a clone in a folder, and returns the SHA-256 of the tarball. */
function packClone(folder: string, timeZone: string): string {
  mkdirSync(folder, { recursive: true });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, env: { ...process.env, TZ: timeZone } });
  run('git', 'clone', '--quiet', root, '.');
  run('npm', 'ci', '--ignore-scripts', '--prefer-offline');
  run('npm', 'pack');
  const tarball = readFileSync(join(folder, `${manifest.name}-${manifest.version}.tgz`));
  return createHash('sha256').update(tarball).digest('hex');
}

test('two clones, packed at different times and places, give the same bytes', () => {
  const folder = temporaryFolder();
  const first = packClone(join(folder, 'clone'), 'UTC');
  const second = packClone(join(folder, 'elsewhere/a second clone'), 'Asia/Tokyo');
  expect(second).toBe(first);
});
