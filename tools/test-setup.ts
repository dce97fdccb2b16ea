import { execSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { thisMachine } from './programs.ts';
import { providePrograms } from './provide-programs.ts';

/** Gives the tests the paths of the programs that they run, and builds the package. */
export function setup(project: TestProject): () => void {
  const teardown = providePrograms(project, thisMachine());
  execSync('npm run --silent build', { cwd: project.config.root, stdio: 'inherit' });
  return teardown;
}
