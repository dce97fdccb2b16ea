import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The result of a test in a spec. */
export interface SpecResult {
  /** The name of the spec file. */
  readonly file: string;
  readonly title: string;
  readonly status: string;
  readonly failureMessages: string[];
}

interface FileResult {
  readonly name: string;
  readonly assertionResults: SpecResult[];
}

// Not in test:quick: the specs import the package, which must be built.
/** Runs the specs in a folder with a separate vitest. */
export async function runSpecs(root: string): Promise<SpecResult[]> {
  const program = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const config = fileURLToPath(new URL('vitest-specs.config.ts', import.meta.url));
  const options = ['run', '--root', root, '--config', config, '--reporter', 'json'];
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { testResults } = JSON.parse(await text(child.stdout));
  return testResults.flatMap(({ name, assertionResults }: FileResult) =>
    assertionResults.map(({ title, status, failureMessages }) => ({
      file: basename(name),
      title,
      status,
      failureMessages,
    })),
  );
}
