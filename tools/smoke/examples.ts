import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type CodeBlock, docExamples, fencedBlocks } from '../code-blocks.ts';
import { writePlaywrightSettings } from '../playwright-settings.ts';
import { findBrowser } from '../programs.ts';
import { type Installed, specifier } from './installed.ts';
import { fail, passed, root, run } from './run.ts';

/**
 * Every example compiles. Every one for Node runs, and prints what the comments behind its
 * console.log calls say.
 */
export function checkExamples({ folder, packageFolder, manifest }: Installed): void {
  const shown = examplesOf(packageFolder)
    // The types of the field's SDK need an older zod than the project has; a docs test runs these.
    .filter(({ block }) => !block.source.includes("from 'livepeer'"))
    .map(({ from, block }) => ({
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
  // The file that an example reads.
  const dialect = { dialect: 2 };
  writeFileSync(join(folder, 'dialect.json'), JSON.stringify(dialect));
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

/** An example of the vitest integration is a test file, which passes. */
function checkUnderVitest(folder: string, name: string): void {
  checkUnder('vitest', ['run', '--root', folder], folder, name, 'test');
}

/** So is one of the Playwright integration. */
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
  const pages = readdirSync(join(packageFolder, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const shown = ['README.md', ...pages].flatMap((page) =>
    named(
      page.replaceAll(/[\\/]/g, '-').slice(0, -'.md'.length),
      fencedBlocks(readFileSync(join(packageFolder, page), 'utf8')),
    ),
  );
  const declarations = readdirSync(packageFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) =>
      named(
        file.replaceAll(/[\\/]/g, '-').slice(0, -'.d.ts'.length),
        docExamples(readFileSync(join(packageFolder, file), 'utf8')),
      ),
    );
  if (shown.length === 0) fail('README.md and docs/ show no TypeScript to compile.');
  if (declarations.length === 0) fail('No declaration has an @example to compile.');
  return [...shown, ...declarations];
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
