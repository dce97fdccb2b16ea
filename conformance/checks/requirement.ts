import type { RequirementFacts } from '../model/requirement.ts';
import type { CheckContext } from './check-context.ts';

/**
 * What a check needs before it can begin. `writes`: leave to change the target. `stream`: a stream that
 * was given, or leave to create one. `session`: a recorded session from any provider. `encoder`: a
 * provider that goes live on the suite's own streams.
 */
export type Need = 'writes' | 'stream' | 'session' | 'encoder';

/** A requirement with a check. */
export interface TestableRequirement extends RequirementFacts {
  readonly needs: readonly Need[];
  /** Names of the mutants that this check, and not only another one, must catch. */
  readonly mutants: readonly string[];
  /** Resolves when the target keeps the requirement; throws otherwise. */
  readonly check: (context: CheckContext) => Promise<void>;
}

/** A requirement that no request can test. */
export interface UntestableRequirement extends RequirementFacts {
  readonly untestable: string;
}

/** One thing that the interface asks of an implementation. */
export type Requirement = TestableRequirement | UntestableRequirement;
