import { execSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { findPrograms, type Programs } from './programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    programs: Programs;
  }
}

/** Gives the tests the paths of the programs that they run, and builds the package. */
export function setup(project: TestProject): void {
  project.provide('programs', findPrograms());
  execSync('npm run --silent build', { cwd: project.config.root, stdio: 'inherit' });
}
