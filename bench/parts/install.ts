import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BenchRun } from '../measure/run.ts';
import { runProgram } from '../measure/processes.ts';
import { atMost, type Findings, figureText } from '../measure/results.ts';

const root = resolve(import.meta.dirname, '../..');

/** What the package takes up on a user's disk, with all that is installed for it. */
export async function measureInstall({ sample: { folder }, say }: BenchRun): Promise<Findings> {
  say('install: packing, and installing in an empty folder');
  const npm = (args: readonly string[], cwd: string): Promise<string> =>
    runProgram('npm', args, { cwd, shell: process.platform === 'win32' });
  await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack: expected a tarball, got none');
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const quietly = ['--silent', '--no-audit', '--no-fund', '--omit=dev'];
  await npm(['install', ...quietly, `./${tarball}`], folder);

  const installed = join(folder, 'node_modules');
  const packages = readdirSync(installed).filter((name) => !name.startsWith('.'));
  return {
    title: 'Install',
    tables: [
      {
        head: ['', 'MB on disk'],
        rows: packages.map((name) => [name, figureText(diskBytes(join(installed, name)) / 1e6)]),
      },
    ],
    targets: [atMost(25, 'install', diskBytes(installed) / 1e6, 'MB')],
    notes: [],
  };
}

/** Bytes that a file, or a folder with all in it, takes up on disk. */
function diskBytes(path: string): number {
  const { blocks, size } = lstatSync(path);
  const own = blocks > 0 ? blocks * 512 : size;
  if (!lstatSync(path).isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + diskBytes(join(path, name)), own);
}
