import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

interface FileResult {
  readonly name: string;
  readonly assertionResults: {
    readonly title: string;
    readonly status: string;
    readonly failureMessages: string[];
  }[];
}

/** Runs the specs in a folder with a separate vitest, and resolves to the result of each test. */
export async function runSpecs(root: string) {
  const program = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const config = fileURLToPath(new URL('vitest-specs.config.ts', import.meta.url));
  const options = ['run', '--root', root, '--config', config, '--reporter', 'json'];
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { testResults }: { testResults: FileResult[] } = JSON.parse(await text(child.stdout));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({
      ...result,
      file: basename(name),
      passed: result.status !== 'failed',
    })),
  );
}
