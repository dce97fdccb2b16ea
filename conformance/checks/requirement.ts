import type { Basis, RequirementFacts } from '../model/requirement.ts';
import type { CheckContext } from './check-context.ts';

/**
 * What a check needs before it can begin. `writes`: it changes the target. `stream`: a stream that the
 * user gave, or one that the check creates. `session`: a recorded session from any provider. `encoder`: a
 * provider that goes live on the suite's own streams.
 */
export type Need = 'writes' | 'stream' | 'session' | 'encoder';

/** A requirement with a check. */
export interface TestableRequirement extends RequirementFacts {
  readonly needs: readonly Need[];
  /** Names of the mutants that this check itself must catch. */
  readonly mutants: readonly string[];
  /** Resolves if the target satisfies the requirement; throws otherwise. */
  readonly check: (context: CheckContext) => Promise<void>;
}

/** A requirement that no request can test. */
export interface UntestableRequirement extends RequirementFacts {
  /** Why it cannot be tested. */
  readonly untestable: string;
}

/** One thing that the interface asks of an implementation. */
export type Requirement = TestableRequirement | UntestableRequirement;

/** The interface states the requirement. */
export const stated: Basis = { kind: 'stated' };

/** It follows from what the interface says: a sentence that says why. */
export function derived(because: string): Basis {
  return { kind: 'derived', because };
}
