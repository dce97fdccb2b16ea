import { execSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { thisMachine } from './programs.ts';
import { providePrograms } from './provide-programs.ts';

/** Gives the tests the paths of the programs that they run, and builds the package: once for all projects. */
export function setup({ vitest, config }: TestProject): (() => void) | undefined {
  if (vitest.getRootProject().getProvidedContext().programs !== undefined) return undefined;
  const teardown = providePrograms(vitest, thisMachine());
  execSync('npm run --silent build', { cwd: config.root, stdio: 'inherit' });
  return teardown;
}
