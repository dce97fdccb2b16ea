import type { Rewrite } from '../../mocks/messages/client-request.ts';
import type { JudgedRequirementId } from '../checks/catalogue.ts';

/** The mock with one rule broken. */
export interface Mutant {
  /** The requirement whose check must catch it. */
  readonly breaks: JudgedRequirementId;
  readonly rewrite: Rewrite;
}

/** Mutants by their names, each of which says how a rule is broken. */
export type Mutants = Readonly<Record<string, Mutant>>;

/** Says which requirement a change of the mock breaks. */
export function breaks(requirement: JudgedRequirementId, rewrite: Rewrite): Mutant {
  return { breaks: requirement, rewrite };
}
