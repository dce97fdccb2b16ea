import type { TestProject } from 'vitest/node';
import { providePrograms } from '../test-setup.ts';

/** Sets up a run of tests on the machine of an ordinary user that has no program. */
export function setup({ vitest }: TestProject): () => void {
  return providePrograms(vitest, { env: {}, mayInstall: false, isRoot: false });
}
