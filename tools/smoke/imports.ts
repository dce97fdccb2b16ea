import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Installed, specifier } from './installed.ts';
import { fail, passed, run } from './run.ts';

/** Every entry can be imported. */
export function checkImports({ folder, manifest }: Installed): void {
  // vitest makes a `test` with fixtures only where vitest runs: the integration's example imports it there.
  const entries = Object.keys(manifest.exports)
    .filter((key) => key !== './vitest')
    .map((key) => specifier(manifest, key));
  if (entries.length === 0) fail('package.json exports nothing.');
  for (const entry of entries) {
    const options = entry.endsWith('.json') ? ", { with: { type: 'json' } }" : '';
    run(process.execPath, ['-e', `import('${entry}'${options})`], folder);
  }
  passed(`${entries.join(', ')} import`);
}

/** The root entry must load in a browser too, so nothing it reaches may need Node. */
export function checkRootRunsAnywhere({ packageFolder, manifest }: Installed): void {
  const entry = manifest.exports['.'] ?? fail('package.json exports no root entry.');
  const files = new Set([join(packageFolder, typeof entry === 'string' ? entry : entry.default)]);
  // A set hands out what is added to it on the way.
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    const needed = neededOfNode(source);
    if (needed !== undefined) fail(`The root entry reaches ${basename(file)}, with ${needed}.`);
    for (const name of importsOf(source)) {
      if (name.startsWith('.')) files.add(join(dirname(file), name));
    }
  }
  passed(`the root entry needs nothing of Node (${files.size} files)`);
}

function neededOfNode(source: string): string | undefined {
  if (/\brequire\s*\(/.test(source)) return 'a call of require()';
  const name = importsOf(source).find(isBuiltin);
  return name && `an import of ${name}`;
}

function importsOf(source: string): string[] {
  const imported = /\b(?:from|import)\s*\(?\s*(["'`])([^"'`\n]+)\1/g;
  return [...source.matchAll(imported)].map(({ 2: name = '' }) => name);
}
