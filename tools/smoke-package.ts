/**
 * Check the package as its users get it: packed, installed in an empty folder, started,
 * imported and compiled against.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type CodeBlock, docExamples, fencedBlocks } from './code-blocks.ts';
import { writePlaywrightSettings } from './playwright-settings.ts';
import { findBrowser } from './programs.ts';

const root = resolve(import.meta.dirname, '..');

const Manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ default: z.string() })])),
});
type Manifest = z.infer<typeof Manifest>;

const Announcement = z.object({
  baseUrl: z.url(),
  controlUrl: z.url(),
  apiKey: z.string().min(1),
});

/** The folder of a user who has installed the package and nothing else. */
interface Installed {
  readonly folder: string;
  readonly packageFolder: string;
  readonly manifest: Manifest;
}

async function smoke(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'smoke-'));
  try {
    const installed = installIn(folder);
    passed(`${installed.manifest.name} packs and installs`);
    await checkCommandLine(installed);
    checkImports(installed);
    checkRootRunsAnywhere(installed);
    checkExamples(installed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function installIn(folder: string): Installed {
  // Lines printed by the build mix with npm's answer, so the tarball is read from the folder.
  run('npm', ['pack', '--silent', '--pack-destination', folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack left no tarball.');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', `./${tarball}`], folder);

  const { name } = Manifest.parse(readJson(join(root, 'package.json')));
  const packageFolder = join(folder, 'node_modules', name);
  // What users have beside the package: types of Node, and the optional peers.
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  mkdirSync(join(folder, 'node_modules', '@playwright'), { recursive: true });
  for (const beside of ['@types/node', '@playwright/test', 'msw', 'vitest']) {
    const target = join(root, 'node_modules', beside);
    symlinkSync(target, join(folder, 'node_modules', beside), 'junction');
  }
  const manifest = Manifest.parse(readJson(join(packageFolder, 'package.json')));
  return { folder, packageFolder, manifest };
}

async function checkCommandLine({ folder, manifest }: Installed): Promise<void> {
  const command = join(folder, 'node_modules', '.bin', manifest.name);
  const server = spawn(command, ['serve', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const exit = once(server, 'exit');
    const line = await Promise.race([
      once(createInterface(server.stdout), 'line'),
      exit.then(([status]) => fail(`${manifest.name} serve ended early with status ${status}.`)),
      timeUp(10_000, `${manifest.name} serve printed no line within 10 s.`),
    ]);
    const { baseUrl, apiKey } = Announcement.parse(JSON.parse(String(line[0])));

    const response = await fetch(`${baseUrl}/stream`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(5_000),
    });
    const body: unknown = await response.json();
    if (response.status !== 200 || !Array.isArray(body)) {
      fail(`GET /stream answered ${response.status} ${JSON.stringify(body)}, not 200 with a list.`);
    }

    server.kill('SIGTERM');
    const [status, signal] = await Promise.race([
      exit,
      timeUp(2_000, 'SIGTERM did not end the server within 2 s.'),
    ]);
    if (status !== 0) fail(`SIGTERM ended the server with ${status ?? signal}, not status 0.`);
  } finally {
    server.kill('SIGKILL');
  }
  passed('the command line serves, answers and ends');
}

function checkImports({ folder, manifest }: Installed): void {
  // vitest makes a `test` with fixtures only where vitest runs: there the door's example imports it.
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
function checkRootRunsAnywhere({ packageFolder, manifest }: Installed): void {
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

/**
 * Every example compiles. Every one for Node runs, and prints what the comments behind its
 * console.log calls say.
 */
function checkExamples({ folder, packageFolder, manifest }: Installed): void {
  const shown = examplesOf(packageFolder).map(({ from, block }) => ({
    name: `${from}-line-${block.line}.ts`,
    source: block.source,
  }));
  const files = [...shown];
  // Declarations no example uses are compiled as well.
  const modules = Object.keys(manifest.exports).filter((key) => !key.endsWith('.json'));
  for (const [index, key] of modules.entries()) {
    const source = `import * as entry from '${specifier(manifest, key)}';\nvoid entry;\n`;
    files.push({ name: `entry-${index}.ts`, source });
  }

  // Types of Node only where they are asked for: the root entry must compile without.
  const needsNode = new RegExp(`\\bfrom ['"](?:node:|${manifest.name}/)`);
  const [withNode, without] = [true, false].map((wanted) =>
    files.filter(({ source }) => needsNode.test(source) === wanted),
  );
  compile(folder, without ?? [], []);
  compile(folder, withNode ?? [], ['node']);
  for (const { name, source } of shown) {
    // One that needs a browser is compiled here; a test runs it, in a browser.
    if (/from 'msw\/browser'/.test(source)) continue;
    if (/from '[^']+\/vitest'/.test(source)) checkUnderVitest(folder, name);
    else if (/from '[^']+\/playwright'/.test(source)) checkUnderPlaywright(folder, name);
    else checkOutput(folder, name, source);
  }
  passed(
    `${shown.length} examples and ${modules.length} entries compile, and the examples for Node run`,
  );
}

/** An example of a vitest door is a test file: it passes. */
function checkUnderVitest(folder: string, name: string): void {
  checkUnder('vitest', ['run', '--root', folder], folder, name, 'test');
}

/** As is one of the Playwright door. */
function checkUnderPlaywright(folder: string, name: string): void {
  writePlaywrightSettings(folder, findBrowser());
  checkUnder('playwright', ['test', '--config', folder], folder, name, 'spec');
}

/** Runs a compiled example by a test runner, under the kind of name that it looks for. */
function checkUnder(
  runner: string,
  args: readonly string[],
  folder: string,
  name: string,
  kind: string,
): void {
  const compiled = join('out', name.replace(/ts$/, 'js'));
  const testFile = compiled.replace(/js$/, `${kind}.js`);
  renameSync(join(folder, compiled), join(folder, testFile));
  run(join(root, 'node_modules', '.bin', runner), [...args, basename(testFile)], folder);
}

function checkOutput(folder: string, name: string, source: string): void {
  const said = run(process.execPath, [join('out', name.replace(/ts$/, 'js'))], folder);
  const expected = [...source.matchAll(/console\.log\(.*\); \/\/ (.+)/g)].map(([, text]) => text);
  if (expected.length === 0) fail(`${name} prints nothing to check.`);
  if (said.trim() !== expected.join('\n')) {
    fail(`${name} printed ${JSON.stringify(said)}, not ${JSON.stringify(expected)}.`);
  }
}

function examplesOf(packageFolder: string): { from: string; block: CodeBlock }[] {
  const named = (from: string, blocks: CodeBlock[]) => blocks.map((block) => ({ from, block }));
  const readme = named(
    'README',
    fencedBlocks(readFileSync(join(packageFolder, 'README.md'), 'utf8')),
  );
  const declarations = readdirSync(packageFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) =>
      named(
        file.replaceAll(/[\\/]/g, '-').slice(0, -'.d.ts'.length),
        docExamples(readFileSync(join(packageFolder, file), 'utf8')),
      ),
    );
  if (readme.length === 0) fail('README.md shows no TypeScript, so there is nothing to compile.');
  if (declarations.length === 0) fail('No declaration has an @example to compile.');
  return [...readme, ...declarations];
}

function compile(
  folder: string,
  files: readonly { name: string; source: string }[],
  types: readonly string[],
): void {
  if (files.length === 0) return;
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
  run(join(root, 'node_modules', '.bin', 'tsc'), ['--project', folder], folder);
}

function specifier({ name }: Manifest, key: string): string {
  return name + key.slice('.'.length);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  return fail(
    `${basename(command)} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`,
  );
}

/** Fail after a while, without keeping the process alive for it. */
function timeUp(milliseconds: number, message: string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(message)), milliseconds).unref();
  });
}

function fail(message: string): never {
  throw new Error(message);
}

function passed(check: string): void {
  process.stdout.write(`ok: ${check}\n`);
}

try {
  await smoke();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
