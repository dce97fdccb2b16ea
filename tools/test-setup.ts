import { execSync } from 'node:child_process';
import type { TestProject, Vitest } from 'vitest/node';
import { findPrograms, type Machine, type Programs, thisMachine } from './programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    programs: Programs;
  }
}

/** Why a test was left out that needs a program which this machine lacks. */
export const lacking = 'a program is missing';

/** Gives the tests the paths of the programs that they run, and builds the package: once for all projects. */
export function setup({ vitest, config }: TestProject): (() => void) | undefined {
  if (vitest.getRootProject().getProvidedContext().programs !== undefined) return undefined;
  const teardown = providePrograms(vitest, thisMachine());
  execSync('npm run --silent build', { cwd: config.root, stdio: 'inherit' });
  return teardown;
}

/**
 * Gives the tests the paths of the programs that they run. The function returned is for the end of
 * the run: it says how many tests were left out.
 */
export function providePrograms(vitest: Vitest, machine: Machine): () => void {
  vitest.provide('programs', findPrograms(machine));
  return () => {
    const tests = vitest.state
      .getTestModules()
      .flatMap(({ children }) => [...children.allTests('skipped')]);
    const results = tests.map((test) => test.result());
    const leftOut = results.filter((result) => {
      return result.state === 'skipped' && result.note === lacking;
    });
    if (leftOut.length === 0) return;
    process.stdout.write(`Tests left out for want of a program: ${leftOut.length}.\n`);
  };
}
