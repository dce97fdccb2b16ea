import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');
const folder = temporaryFolder();
let tarball: string;

beforeAll(() => {
  tarball = packClone(join(folder, 'clone'), 'UTC');
});

/** Packs a clone in a folder, as a release does, and returns the tarball. */
function packClone(clone: string, timeZone: string): string {
  mkdirSync(clone, { recursive: true });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: clone, env: { ...process.env, TZ: timeZone } });
  run('git', 'clone', '--quiet', root, '.');
  run('npm', 'ci', '--ignore-scripts', '--prefer-offline');
  run('npm', 'pack');
  return join(clone, `${manifest.name}-${manifest.version}.tgz`);
}

test('two clones, packed at different times and places, give the same bytes', () => {
  const second = packClone(join(folder, 'elsewhere/a second clone'), 'Asia/Tokyo');
  expect(digestOf(second)).toBe(digestOf(tarball));
});

test('npm has no script to run or to warn of when it installs the tarball', () => {
  const packed = execFileSync('tar', ['-xOf', tarball, 'package/package.json'], {
    encoding: 'utf8',
  });
  const { scripts } = JSON.parse(packed);
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
    expect(scripts).not.toHaveProperty(name);
  }
  const project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const install = `npm install --no-audit --no-fund '${tarball}' 2>&1`;
  const said = execFileSync('bash', ['-euc', install], { cwd: project, encoding: 'utf8' });
  expect(said).toContain('added 1 package');
  expect(said).not.toMatch(/script/i);
  const version = execFileSync('npx', ['--no-install', manifest.name, '--version'], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(version).toBe(`${manifest.version}\n`);
});

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
