/**
 * Check the package as its users get it: packed, installed in an empty folder, started,
 * imported and compiled against.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCommandLine } from './command-line.ts';
import { checkExamples } from './examples.ts';
import { checkImports, checkRootRunsAnywhere } from './imports.ts';
import { installIn } from './installed.ts';
import { passed } from './run.ts';

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

try {
  await smoke();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
