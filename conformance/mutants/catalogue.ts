import type { Fetch } from '../../mocks/messages/client-request.ts';
import { judgedRequirements } from '../checks/catalogue.ts';
import { authenticationMutants } from './authentication.ts';
import { createMutants } from './create.ts';
import { listMutants } from './list.ts';
import { mediaMutants } from './media.ts';
import type { Mutants } from './mutant.ts';
import { recordMutants } from './record.ts';

/** Every mutant: a mock with one rule broken, by a name that says how. */
export const mutants: Mutants = {
  ...createMutants,
  ...recordMutants,
  ...listMutants,
  ...authenticationMutants,
  ...mediaMutants,
};

const statements = new Map(judgedRequirements.map(({ id, statement }) => [id, statement]));

/** The rule that each mutant breaks, by the mutant's name: the requirement whose check must catch it. */
export const rulesBroken: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(mutants).map(([name, { breaks: id }]) => [name, `${id}: ${statements.get(id)}`]),
);

/** Breaks one rule of a mock. @throws RangeError for an unknown name. */
export function breakFetch(name: string, fetch: Fetch): Fetch {
  const mutant = Object.hasOwn(mutants, name) ? mutants[name] : undefined;
  if (mutant !== undefined) return mutant.rewrite(fetch);
  throw new RangeError(
    `mutant: expected one of ${Object.keys(mutants).join(', ')}, got ${JSON.stringify(name)}`,
  );
}
