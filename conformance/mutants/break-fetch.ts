import { authenticationMutants } from './authentication.ts';
import { createMutants } from './create.ts';
import { listMutants } from './list.ts';
import { mediaMutants } from './media.ts';
import type { Fetch, Mutant } from './mutant.ts';
import { recordMutants } from './record.ts';

/** Every mutant, by name. */
export const mutants: Readonly<Record<string, Mutant>> = {
  ...createMutants,
  ...recordMutants,
  ...listMutants,
  ...authenticationMutants,
  ...mediaMutants,
};

/**
 * Breaks one rule of a mock. `applied` is called whenever the mutant changes something.
 * @throws RangeError for an unknown name
 */
export function breakFetch(name: string, fetch: Fetch, applied: () => void = () => {}): Fetch {
  const mutant = Object.hasOwn(mutants, name) ? mutants[name] : undefined;
  if (mutant !== undefined) return mutant.make(fetch, applied);
  throw new RangeError(
    `mutant: expected one of ${Object.keys(mutants).join(', ')}, got ${JSON.stringify(name)}`,
  );
}
