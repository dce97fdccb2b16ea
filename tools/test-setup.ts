import { execSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { findPrograms, type Programs, thisMachine } from './programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    programs: Programs;
  }
}

/** Finds the programs that the tests run, and builds the package, once for all projects. */
export function setup({ vitest, config }: TestProject): void {
  if (vitest.getRootProject().getProvidedContext().programs !== undefined) return;
  vitest.provide('programs', findPrograms(thisMachine()));
  execSync('npm run --silent build', { cwd: config.root, stdio: 'inherit' });
}
