import type { Evidence } from '../../target/requests/evidence.ts';
import type { Area, RequirementFacts } from './requirement-facts.ts';

/** Every {@link Outcome}. */
export const outcomes = [
  'pass',
  'noted',
  'fail',
  'unmet',
  'blocked',
  'inapplicable',
  'untested',
  'untestable',
  'error',
] as const;

/**
 * How a check ended. `fail`: the target violates a `must`. `unmet`: it does otherwise than a `should`
 * recommends, and may still conform. `noted`: what an `observe` asks about was seen, and is not judged.
 * `blocked`: a precondition was missing. `inapplicable`: the target's owner says that the requirement does
 * not apply. `untested`: it was left out of this run. `untestable`: no run can test it. `error`: the suite
 * failed, or got no response.
 */
export type Outcome = (typeof outcomes)[number];

/** Whether a target does otherwise than a requirement says. */
export function isViolation({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === 'fail' || outcome === 'unmet';
}

/** Every {@link Verdict}. */
export const verdicts = [
  'conformant',
  'conformant-with-deviations',
  'nonconformant',
  'incomplete',
] as const;

/**
 * What the suite concludes. `conformant-with-deviations`: conformant, except for requirements that the
 * target's owner listed as known deviations or as not applicable.
 */
export type Verdict = (typeof verdicts)[number];

/** Every {@link ProviderName}. */
export const providerNames = ['none', 'given', 'control', 'command', 'manual'] as const;

/** Where recorded sessions came from. */
export type ProviderName = (typeof providerNames)[number];

/** A deviation that the target's owner knows about. */
export interface KnownDeviation {
  readonly reason: string;
  /** The last day on which it is accepted, such as `2026-12-31`; without it, the deviation never expires. */
  readonly expires?: string;
}

/** The outcome of one requirement. */
export interface Result extends RequirementFacts {
  readonly outcome: Outcome;
  /** Why it is not a pass: what was expected, what was received, and what to do. */
  readonly message?: string;
  /** What the check noted about the target; it is never judged. */
  readonly observations: readonly string[];
  /** The exchanges that prove it, the decisive one first; empty if it passed. */
  readonly evidence: readonly Evidence[];
  /** Present if the target's owner knows about the deviation: a violation is then expected. */
  readonly deviation?: KnownDeviation;
  /** Milliseconds. */
  readonly duration: number;
}

/** What a run of the suite found. */
export interface Report {
  readonly format: 'livestream-mock/conformance-report';
  readonly version: 1;
  /** The version of the package that ran. */
  readonly suite: string;
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly provider: ProviderName;
  readonly readOnly: boolean;
  /** The areas that the verdict is about; absent if it is about all. */
  readonly areas?: readonly Area[];
  /** The ids of the requirements that the verdict is about, if they were chosen one by one. */
  readonly only?: readonly string[];
  /** Why the target could not be judged at all, and what to do, in one sentence. */
  readonly unjudgeable?: string;
  /** Present if the run was interrupted. */
  readonly interrupted?: true;
  /** Present if the target stopped responding: the last request that it answered, and the first that it did not answer. */
  readonly stopped?: string;
  /** Present if the target asked to wait: how often, and for how many milliseconds in all. */
  readonly waits?: { readonly times: number; readonly duration: number };
  /** Follows from the rest of the report. */
  readonly verdict: Verdict;
  /** Why the verdict is not `conformant`, and what would complete it, in one sentence each. */
  readonly reasons: readonly string[];
  readonly results: readonly Result[];
  /** What the suite created on the target and could not delete. */
  readonly leftBehind: readonly string[];
  /** Always the last key, so that a report that was cut off lacks it. */
  readonly complete: true;
}
