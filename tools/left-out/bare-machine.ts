import type { TestProject } from 'vitest/node';
import { providePrograms } from '../provide-programs.ts';

/** Sets up a run of tests on the machine of an ordinary user that has no program. */
export function setup({ vitest }: TestProject): () => void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  return providePrograms(vitest, { env: {}, isRoot: false, asked: false, places: {}, say });
}
