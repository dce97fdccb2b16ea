import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Runs a program in the repository; what it printed, whether or not it failed. */
function print(command: string, args: readonly string[], input?: string): string {
  const { stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', input });
  return stdout + stderr;
}

/** Every TypeScript file but tests and what supports them, which may import from anywhere. */
function sourceFiles(): string[] {
  const files = print('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts']);
  return files
    .split('\n')
    .filter((file) => file !== '' && !/\.(test|spec|test-support|config)\.ts$/.test(file));
}

function importedFiles(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map(([, path = '']) =>
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

test.each([
  { file: 'interface/ladder.ts', imported: '../fixtures/random.ts' },
  { file: 'fixtures/streams.ts', imported: '../mocks/state/clock.ts' },
  { file: 'mocks/state/clock.ts', imported: '../service/world.ts' },
  { file: 'mocks/faults/faults.ts', imported: '../service/world.ts' },
  { file: 'mocks/journal/show.ts', imported: '../http/credential.ts' },
  { file: 'mocks/service/world.ts', imported: '../stores/file.ts' },
  { file: 'mocks/stores/file.ts', imported: '../http/app.ts' },
  { file: 'mocks/http/app.ts', imported: '../mock.ts' },
  { file: 'mocks/mock.ts', imported: './adapters/node/node.ts' },
  { file: 'mocks/adapters/msw/msw.ts', imported: '../../../conformance/run.ts' },
  { file: 'mocks/dashboard/api.ts', imported: '../service/world.ts' },
  { file: 'conformance/run.ts', imported: '../mocks/mock.ts' },
  { file: 'conformance/checks/list.ts', imported: '../../interface/schemas.ts' },
  { file: 'conformance/checks/list.ts', imported: '../../interface/operations.ts' },
  { file: 'conformance/mutants/mutant.ts', imported: '../../tools/programs.ts' },
  { file: 'commands/serve.ts', imported: '../bench/bench.ts' },
  { file: 'examples/app/api.ts', imported: '../../mocks/mock.ts' },
])('the linter refuses that $file imports $imported', ({ file, imported }) => {
  const source = `import type { Anything } from '${imported}';\n`;
  const biome = join(root, 'node_modules/.bin/biome');
  expect(print(biome, ['lint', `--stdin-file-path=${file}`], source)).toContain(
    'noRestrictedImports',
  );
});
