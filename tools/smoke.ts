/**
 * `npm run smoke` checks the package as users get it: it packs the package, installs it in an empty folder,
 * starts it, imports it and compiles code against it.
 */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { docExamples, typeScriptIn } from './code-blocks.ts';

const root = resolve(import.meta.dirname, '..');
/** The folder of a user who has installed only the package. */
const folder = mkdtempSync(join(tmpdir(), 'smoke-'));
const packageFolder = join(folder, 'node_modules', manifest.name);
/** What users import, by each key of the exports. */
const specifiers = Object.keys(manifest.exports).map((key) => manifest.name + key.slice(1));

const checks = [packAndInstall, checkCommandLine, checkImports, checkExamples] as const;

try {
  for (const check of checks) process.stdout.write(`ok: ${check()}\n`);
} catch (exception) {
  process.stderr.write(`${exception instanceof Error ? exception.message : exception}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function packAndInstall(): string {
  // The build prints to the same output as npm, so the name of the tarball is read from the folder.
  run('npm', ['pack', '--silent', '--pack-destination', folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', `./${tarball}`]);
  // What users install as well: the types of Node, and the optional peers.
  for (const name of ['@types/node', '@playwright/test', '@msw/data', 'msw', 'vitest']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
  return 'the package packs and installs';
}

function checkCommandLine(): string {
  run(join(folder, 'node_modules', '.bin', manifest.name), ['check', '--mock']);
  return 'the command line judges the mock, and finds it conformant';
}

function checkImports(): string {
  // A vitest `test` with fixtures can only be made inside vitest; the tests of the docs import it there.
  const entries = specifiers.filter((entry) => entry !== `${manifest.name}/vitest`);
  for (const entry of entries) {
    const options = entry.endsWith('.json') ? ", { with: { type: 'json' } }" : '';
    run(process.execPath, ['-e', `import('${entry}'${options})`]);
  }
  return `${entries.join(', ')} import`;
}

/** Compiles every example, and the declarations that no example uses. The tests of the docs run the examples. */
function checkExamples(): string {
  // The types of the official SDK need an older zod than the project uses, and `import.meta.env` needs those of Vite.
  const compiledExamples = examples().filter(
    ({ source }) => !/from 'livepeer'|import\.meta\.env/.test(source),
  );
  const modules = specifiers.filter((entry) => !entry.endsWith('.json'));
  const entries = modules.map((entry, index) => ({
    name: `entry-${index}.ts`,
    source: `import * as entry from '${entry}';\nvoid entry;\n`,
  }));
  compile([...compiledExamples, ...entries], ['node']);
  // The root entry must compile without types of Node.
  compile(entries.slice(0, 1), []);
  return `${compiledExamples.length} examples and ${modules.length} entries compile`;
}

/** The TypeScript examples in the package's pages and declarations, each as a file. */
function examples() {
  const files = readdirSync(packageFolder, { recursive: true, encoding: 'utf8' });
  return files.flatMap((file) => {
    if (!/^(README|docs\/.+)\.md$|\.d\.ts$/.test(file)) return [];
    const text = readFileSync(join(packageFolder, file), 'utf8');
    const blocks = file.endsWith('.md') ? typeScriptIn(text) : docExamples(text);
    const from = file.replaceAll(/[/.]/g, '-');
    return blocks.map(({ line, source }) => ({ name: `${from}-line-${line}.ts`, source }));
  });
}

function compile(files: ReturnType<typeof examples>, types: readonly string[]): void {
  for (const { name, source } of files) writeFileSync(join(folder, name), source);
  const settings = {
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      moduleDetection: 'force',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types,
      skipLibCheck: false,
      outDir: 'out',
      rootDir: '.',
    },
    files: files.map(({ name }) => name),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  run(join(root, 'node_modules', '.bin', 'tsc'), ['--project', folder]);
}

/** Runs a program to its end, and returns what it printed. @throws Error with what it printed if it fails. */
function run(command: string, args: readonly string[], cwd = folder): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  const printed = `${error?.message ?? ''}\n${stdout}${stderr}`;
  throw new Error(`${basename(command)} ${args.join(' ')} failed: ${printed}`);
}
