import { requirements } from '../checks/catalogue.ts';
import { authenticationMutants } from './authentication.ts';
import { createMutants } from './create.ts';
import { listMutants } from './list.ts';
import { mediaMutants } from './media.ts';
import { recordMutants } from './record.ts';
import type { Fetch, Mutants } from './rewrite.ts';

/** Every mutant: a mock with one rule broken, by a name that says how. */
export const mutants: Mutants = {
  ...createMutants,
  ...recordMutants,
  ...listMutants,
  ...authenticationMutants,
  ...mediaMutants,
};

/** The rule that each mutant breaks: the requirement whose check must catch it, by the mutant's name. */
export const rulesBroken: Readonly<Record<string, string>> = Object.fromEntries(
  requirements.flatMap((requirement) => {
    const names = 'mutants' in requirement ? requirement.mutants : [];
    return names.map((name) => [name, `${requirement.id}: ${requirement.statement}`] as const);
  }),
);

/** Breaks one rule of a mock. @throws RangeError for an unknown name. */
export function breakFetch(name: string, fetch: Fetch): Fetch {
  const mutant = Object.hasOwn(mutants, name) ? mutants[name] : undefined;
  if (mutant !== undefined) return mutant(fetch);
  throw new RangeError(
    `mutant: expected one of ${Object.keys(mutants).join(', ')}, got ${JSON.stringify(name)}`,
  );
}
