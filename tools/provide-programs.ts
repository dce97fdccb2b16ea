import type { Vitest } from 'vitest/node';
import { countLeftOut, findPrograms, lacking, type Machine, type Programs } from './programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    programs: Partial<Programs>;
  }
}

/**
 * Gives the tests the paths of the programs that they run. The function returned is for the end of
 * the run: it says how many tests were left out.
 */
export function providePrograms(vitest: Vitest, machine: Machine): () => void {
  const programs = findPrograms(machine);
  vitest.provide('programs', programs);
  return () => {
    const skipped = vitest.state
      .getTestModules()
      .flatMap(({ children }) => [...children.allTests('skipped')]);
    const leftOut = skipped
      .map((test) => test.result())
      .filter((result) => result.state === 'skipped' && result.note === lacking);
    if (leftOut.length > 0) machine.say(countLeftOut(leftOut.length, programs));
  };
}
