import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { BenchRun } from './bench-run.ts';
import type { Findings } from './findings.ts';
import { runProgram } from './processes.ts';
import { shares } from './shares.ts';
import { figureText } from './targets.ts';

const root = resolve(import.meta.dirname, '..');
const mostMegabytes = 25;

/** What a user's disk holds after installing the package, and what of it is whose. */
export async function measureInstall({ sample, say }: BenchRun): Promise<Findings> {
  say('install: packing, and installing in an empty folder');
  const { folder } = sample;
  const npm = (args: readonly string[], cwd: string): Promise<string> =>
    runProgram('npm', args, { cwd, shell: process.platform === 'win32' });
  await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack: expected a tarball, got none');
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const quietly = ['--silent', '--no-audit', '--no-fund', '--omit=dev'];
  await npm(['install', ...quietly, `./${basename(tarball)}`], folder);

  const installed = join(folder, 'node_modules');
  const packages = readdirSync(installed).filter((name) => !name.startsWith('.'));
  const megabytes = diskBytes(installed) / 1e6;
  const dist = join(installed, 'livestream-mock', 'dist');
  const sources = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(dist, name), 'utf8'));
  return {
    title: 'Install',
    tables: [
      {
        head: ['', 'MB on disk'],
        rows: packages.map((name) => [name, figureText(diskBytes(join(installed, name)) / 1e6)]),
      },
    ],
    details: [
      {
        head: ['Bundled in it', 'kB'],
        rows: shares(sources).map(({ owner, bytes }) => [owner, figureText(bytes / 1000)]),
      },
    ],
    targets: [
      { title: 'install', figure: megabytes, bound: { atMost: mostMegabytes }, unit: 'MB' },
    ],
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
