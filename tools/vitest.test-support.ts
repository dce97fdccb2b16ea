import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** How a test of a spec ended. */
export interface SpecResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: string[];
}

// Needs the build: specs import the package by its name.
/** Runs a file of specs in a vitest of its own; `folder` has it. */
export async function runSpec(folder: URL, spec: string): Promise<SpecResult[]> {
  const program = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const config = fileURLToPath(new URL('vitest-specs.config.ts', import.meta.url));
  const root = fileURLToPath(folder);
  const options = ['run', spec, '--root', root, '--config', config, '--reporter', 'json'];
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { testResults } = JSON.parse(await text(child.stdout));
  return testResults.flatMap(({ assertionResults }: { assertionResults: SpecResult[] }) =>
    assertionResults.map(({ title, status, failureMessages }) => ({
      title,
      status,
      failureMessages,
    })),
  );
}
