/** Which project of vitest.config.ts runs a test file. This depends on what the file and its test support use. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/**
 * `unit` and `alone`, which replaces modules, need neither the build nor other programs; `process` may need
 * both; `browser` needs the browser.
 */
export type ProjectName = 'unit' | 'alone' | 'process' | 'browser';

/** The first project whose pattern is found runs the file; otherwise `unit` does. */
const patterns: readonly { readonly project: ProjectName; readonly pattern: RegExp }[] = [
  { project: 'browser', pattern: /\b(useBrowser|openBrowser)\(|\bprogram\('browser'\)/ },
  { project: 'process', pattern: /\bprogram\('|\bdist\/|\/\/ Not in test:quick/ },
  // Replaced modules would stay replaced in files that run later in the same worker.
  { project: 'alone', pattern: /\bvi\.(mock|doMock)\(/ },
];

/** The test files of each project, as paths from the root. */
export function testFiles(): Record<ProjectName, string[]> {
  const files: Record<ProjectName, string[]> = { unit: [], alone: [], process: [], browser: [] };
  for (const file of allTests()) {
    if (!file.endsWith(nightly)) files[projectOf(file)].push(relative(root, file));
  }
  return files;
}

const nightly = '.nightly.test.ts';

/** The nightly test files: those with the name, and those that do more at night than by day. */
export function nightlyFiles(): string[] {
  const found = allTests().filter(
    (file) =>
      file.endsWith(nightly) || sourcesOf(file).some((source) => /\bbyNight\(/.test(source)),
  );
  return found.map((file) => relative(root, file));
}

function allTests(): string[] {
  return filesIn(root).filter((file) => file.endsWith('.test.ts'));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return /^(\..*|dist|node_modules)$/.test(entry.name) ? [] : filesIn(path);
  });
}

function projectOf(file: string): ProjectName {
  const sources = sourcesOf(file);
  const found = patterns.find(({ pattern }) => sources.some((source) => pattern.test(source)));
  return found?.project ?? 'unit';
}

/** The source of a file and of the test support that it imports, directly or indirectly. */
function sourcesOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const imported = [...source.matchAll(/from '(\.[^']+\.test-support\.ts)'/g)];
  return [source, ...imported.flatMap(([, path = '']) => sourcesOf(join(dirname(file), path)))];
}
