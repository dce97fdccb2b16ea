import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary.test-support.ts';

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

/** A file, and what it must not import. */
const refused = [
  { file: 'text/redact.ts', imported: '../target/requests/near-keys.ts' },
  { file: 'interface/recommended-profiles.ts', imported: '../fixtures/worlds.ts' },
  { file: 'fixtures/worlds.ts', imported: '../mocks/state/clock.ts' },
  { file: 'mocks/state/clock.ts', imported: '../service/world.ts' },
  { file: 'mocks/faults/faults.ts', imported: '../service/world.ts' },
  { file: 'mocks/journal/journal.ts', imported: '../http/enter.ts' },
  { file: 'mocks/service/world.ts', imported: '../stores/file.ts' },
  { file: 'mocks/service/testers/controls.ts', imported: '../../stores/file.ts' },
  { file: 'mocks/stores/file.ts', imported: '../http/app.ts' },
  { file: 'mocks/http/app.ts', imported: '../mock.ts' },
  { file: 'mocks/mock.ts', imported: './adapters/node/node.ts' },
  { file: 'mocks/adapters/msw.ts', imported: '../../conformance/run-suite.ts' },
  { file: 'mocks/dashboard/page-state/api.ts', imported: '../../service/world.ts' },
  { file: 'mocks/adapters/vitest.ts', imported: '../../target/connection.ts' },
  { file: 'target/connection.ts', imported: '../mocks/mock.ts' },
  { file: 'target/unjudgeable.ts', imported: '../conformance/run-suite.ts' },
  { file: 'target/clean-up.ts', imported: '../fidelity/form.ts' },
  { file: 'target/requests/gate.ts', imported: '../../interface/schemas.ts' },
  { file: 'conformance/run-suite.ts', imported: '../mocks/mock.ts' },
  { file: 'conformance/checks/list.ts', imported: '../../interface/schemas.ts' },
  { file: 'conformance/checks/create.ts', imported: '../../interface/operations.ts' },
  { file: 'conformance/mutants/record.ts', imported: '../../tools/programs.ts' },
  { file: 'mocks/variants/lists.ts', imported: '../../conformance/run-suite.ts' },
  { file: 'mocks/variants/running/variant-service.ts', imported: '../../mock.ts' },
  { file: 'fidelity/form.ts', imported: '../commands/cli.ts' },
  { file: 'conformance/index.ts', imported: '../fidelity/form.ts' },
  { file: 'commands/serve.ts', imported: '../bench/bench.ts' },
  { file: 'examples/app/api.ts', imported: '../../mocks/mock.ts' },
];

const allowed = [
  {
    file: 'target/streams/stream-requests.ts',
    imported: '../../interface/recommended-profiles.ts',
  },
  { file: 'target/requests/exchange.ts', imported: '../../text/curl.ts' },
  { file: 'conformance/vitest.ts', imported: '../target/connection.ts' },
  { file: 'fidelity/target-connection.ts', imported: '../target/connection.ts' },
  { file: 'fidelity/learn/learn.ts', imported: '../../mocks/mock.ts' },
  { file: 'mocks/service/streams.ts', imported: '../state/state.ts' },
  { file: 'conformance/checks/media.ts', imported: '../../interface/recommended-profiles.ts' },
  { file: 'conformance/mutants/score.ts', imported: '../../mocks/mock.ts' },
  { file: 'mocks/variants/running/witness.ts', imported: '../../http/app.ts' },
  { file: 'mocks/replay.test.ts', imported: '../tools/browser.test-support.ts' },
];

/** What the linter reports about files in a separate folder. */
function lint(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  const settings = { 'biome.json': readFileSync(join(root, 'biome.json'), 'utf8') };
  for (const [file, text] of Object.entries({ ...settings, ...files })) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const options = ['--vcs-enabled=false', '--max-diagnostics=99', '--reporter=github'];
  const biome = join(root, 'node_modules/.bin/biome');
  return print(biome, ['lint', ...options], folder).replaceAll(`${folder}/`, '');
}

test.each([...refused, ...allowed])('$file and $imported exist', ({ file, imported }) => {
  expect(existsSync(join(root, file))).toBe(true);
  expect(existsSync(join(root, dirname(file), imported))).toBe(true);
});

test('the linter refuses imports that run up, and no others', () => {
  const files = [...refused, ...allowed].map(({ file, imported }) => [
    file,
    `export type { Anything } from '${imported}';\n`,
  ]);
  const report = lint(Object.fromEntries(files));
  const reported = [...report.matchAll(/title=[^:]*noRestrictedImports,file=([^,]+)/g)];
  expect(reported.map(([, file]) => file).sort()).toEqual(refused.map(({ file }) => file).sort());
});
