import type { Area, RequirementFacts } from '../model/requirement-facts.ts';
import type { CheckContext } from './check-context.ts';

/**
 * What a check needs before it can begin. `writes`: it changes the target. `stream`: a stream that the
 * user gave, or one that the check creates. `session`: a recorded session from any provider. `encoder`: a
 * provider that goes live on the suite's own streams.
 */
export type Need = 'writes' | 'stream' | 'session' | 'encoder';

/** A requirement with a check. */
export interface TestableRequirement<Id extends string = string> extends RequirementFacts {
  readonly id: Id;
  readonly needs: readonly Need[];
  /** Resolves if the target satisfies the requirement; throws otherwise. */
  readonly check: (context: CheckContext) => Promise<void>;
}

/** A requirement that no request can test. */
export interface UntestableRequirement extends RequirementFacts {
  /** Why it cannot be tested. */
  readonly untestable: string;
}

/** One thing that the interface requires of an implementation. */
export type Requirement = TestableRequirement | UntestableRequirement;

/** A requirement as its area lists it. */
export interface ListedRequirement
  extends Omit<TestableRequirement, 'id' | 'area' | 'level' | 'basis' | 'needs'>,
    Partial<Pick<TestableRequirement, 'level' | 'needs'>> {
  /** Why it follows from the interface, in a sentence; absent if the interface states it. */
  readonly because?: string;
}

/** The requirements of an area by their ids. Their level is `must`, and they need `needs`, unless they say otherwise. */
export function requirementsOf<Id extends string>(
  area: Area,
  needs: readonly Need[],
  requirementsById: Readonly<Record<Id, ListedRequirement>>,
): TestableRequirement<Id>[] {
  const entries = Object.entries(requirementsById) as [Id, ListedRequirement][];
  return entries.map(([id, { because, ...requirement }]) => ({
    id,
    area,
    level: 'must',
    basis: because === undefined ? { kind: 'stated' } : { kind: 'derived', because },
    needs,
    ...requirement,
  }));
}
