import type { RequirementOfDialects } from '../../interface/dialect/stated-rules.ts';
import type { Rewrite } from '../../mocks/messages/client-request.ts';
import type { JudgedRequirementId } from '../checks/catalogue.ts';
import type { beyondDialects } from './beyond-dialects.ts';

/** The mock with one rule broken. */
export interface Mutant {
  /** The requirement whose check must catch it. */
  readonly breaks: JudgedRequirementId;
  readonly rewrite: Rewrite;
}

/** Mutants by their names, each of which says how a rule is broken. */
export type Mutants = Readonly<Record<string, Mutant>>;

/** A requirement of which is said whether a dialect can break it, in `stated-rules.ts` or `beyond-dialects.ts`. */
export type BreakableRequirement = RequirementOfDialects | keyof typeof beyondDialects;

/** Says which requirement a change of the mock breaks. */
export function breaks(requirement: BreakableRequirement, rewrite: Rewrite): Mutant {
  return { breaks: requirement, rewrite };
}
