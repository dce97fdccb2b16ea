import { execSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { findPrograms, type Programs } from './programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    programs: Programs;
  }
}

/** Hand the tests the programs they run, and today's build of the command line. */
export function setup(project: TestProject): void {
  project.provide('programs', findPrograms());
  execSync('npm run --silent build', { cwd: project.config.root, stdio: 'inherit' });
}
