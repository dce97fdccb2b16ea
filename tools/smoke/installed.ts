import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root, run } from './run.ts';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const manifestSchema: z.ZodType<Manifest> = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ default: z.string() })])),
});

/** The folder of a user who has installed the package and nothing else. */
export interface Installed {
  readonly folder: string;
  readonly packageFolder: string;
  readonly manifest: Manifest;
}

/** Packs the project, and installs it in an empty folder. */
export function installIn(folder: string): Installed {
  // Lines printed by the build mix with npm's answer, so the tarball is read from the folder.
  run('npm', ['pack', '--silent', '--pack-destination', folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack left no tarball.');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', `./${tarball}`], folder);

  const { name } = manifestSchema.parse(readJson(join(root, 'package.json')));
  const packageFolder = join(folder, 'node_modules', name);
  // What users have beside the package: types of Node, and the optional peers.
  for (const scope of ['@types', '@playwright', '@msw']) {
    mkdirSync(join(folder, 'node_modules', scope), { recursive: true });
  }
  for (const beside of ['@types/node', '@playwright/test', '@msw/data', 'msw', 'vitest']) {
    const target = join(root, 'node_modules', beside);
    symlinkSync(target, join(folder, 'node_modules', beside), 'junction');
  }
  const manifest = manifestSchema.parse(readJson(join(packageFolder, 'package.json')));
  return { folder, packageFolder, manifest };
}

/** What a user imports for a key of the exports. */
export function specifier({ name }: Manifest, key: string): string {
  return name + key.slice('.'.length);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
