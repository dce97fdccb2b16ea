import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { layerOf, layers, refusalOfImport } from './layers.ts';

const root = resolve(import.meta.dirname, '..');

/** Runs a program to its end, and returns what it printed, even if it failed. */
function print(command: string, args: readonly string[], cwd: string): string {
  return spawnSync(command, args, { cwd, encoding: 'utf8' }).stdout;
}

/** Every TypeScript file except tests and test support, which may import from anywhere. */
function sourceFiles(): string[] {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'];
  return print('git', listing, root)
    .split('\n')
    .filter((file) => file !== '' && !/\.(test|spec|test-support|config)\.ts$/.test(file));
}

function importedFiles(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );
}

test('no two folders import from each other', () => {
  const arrows = new Set(
    sourceFiles().flatMap((file) =>
      importedFiles(file).map((imported) => `${dirname(file)} imports ${dirname(imported)}`),
    ),
  );
  const mutual = [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' imports ');
    return from !== to && arrows.has(`${to} imports ${from}`);
  });
  expect(arrows.size).toBeGreaterThan(50);
  expect(mutual).toEqual([]);
});

/** A wrong import for each rule that somebody may want to break. */
const wrongImports = [
  ['text/redact.ts', 'target/requests/near-keys.ts'],
  ['interface/recommended-profiles.ts', 'interface/dialect/errors.ts'],
  ['fixtures/worlds.ts', 'mocks/state/clock.ts'],
  ['mocks/state/clock.ts', 'mocks/service/world.ts'],
  ['mocks/service/world.ts', 'mocks/stores/file.ts'],
  ['mocks/http/app.ts', 'mocks/mock.ts'],
  ['mocks/mock.ts', 'mocks/adapters/node/node.ts'],
  ['mocks/adapters/msw.ts', 'conformance/run-suite.ts'],
  ['mocks/dashboard/page-state/api.ts', 'mocks/service/world.ts'],
  ['target/requests/gate.ts', 'interface/schemas.ts'],
  ['conformance/checks/list.ts', 'mocks/mock.ts'],
  ['mocks/variants/lists.ts', 'conformance/run-suite.ts'],
  ['fidelity/form.ts', 'commands/cli.ts'],
  ['examples/app/api.ts', 'mocks/mock.ts'],
] as const;

test.each(wrongImports)('%s must not import %s', (file, imported) => {
  expect(refusalOfImport(file, imported)).toContain(`${file} must not import ${imported}: `);
});

test('no file imports what is above it', () => {
  const imports = sourceFiles().flatMap((file) =>
    importedFiles(file).map((imported) => ({ file, imported })),
  );
  expect(imports.length).toBeGreaterThan(1000);
  expect(imports.flatMap(({ file, imported }) => refusalOfImport(file, imported) ?? [])).toEqual(
    [],
  );
});

test('every layer has a file', () => {
  const found = new Set(sourceFiles().map(layerOf));
  expect(layers.filter((layer) => !found.has(layer))).toEqual([]);
});
