import type { Area, Basis, Level } from './requirement.ts';

/**
 * How a check ended. `blocked`: a precondition could not be met. `inapplicable`: the target's owner
 * says that the requirement does not apply. `untested`: no check can be, or was to be, run.
 * `error`: the harness itself failed.
 */
export const outcomes = ['pass', 'fail', 'blocked', 'inapplicable', 'untested', 'error'] as const;

/** How a check ended. */
export type Outcome = (typeof outcomes)[number];

/**
 * What the suite concludes. `conformant-with-deviations`: conformant but for requirements whose owner
 * says that the target does not keep them, or that they do not apply.
 */
export const verdicts = [
  'conformant',
  'conformant-with-deviations',
  'nonconformant',
  'incomplete',
] as const;

/** What the suite concludes. */
export type Verdict = (typeof verdicts)[number];

/** Where recorded sessions came from. */
export type ProviderName = 'none' | 'given' | 'control' | 'command' | 'manual';

/** One request and its answer, the API key replaced. */
export interface Exchange {
  /** The request as a line for a shell. */
  readonly curl: string;
  /** The answer's status; absent where none came. */
  readonly status?: number;
  /** The answer's headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer's body as text, cut off after a few kilobytes. */
  readonly body?: string;
  /** Why no answer came. */
  readonly failure?: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** A deviation that the target's owner knows of. */
export interface KnownDeviation {
  readonly reason: string;
  /** Last day on which it is accepted, such as `2026-12-31`; without one it is accepted for good. */
  readonly expires?: string;
}

/** How one requirement fared. */
export interface Result {
  readonly id: string;
  readonly area: Area;
  readonly clause: string;
  readonly level: Level;
  readonly statement: string;
  readonly basis: Basis;
  readonly outcome: Outcome;
  /** Why it is not a pass: what was expected, what came, and what to do. */
  readonly message?: string;
  /** What the check noted of the target, never judged. */
  readonly observations: readonly string[];
  /** The exchanges that it rests on where it did not pass, the decisive one first. */
  readonly evidence: readonly Exchange[];
  /** Present where the target's owner knows of the deviation: a failure is then expected. */
  readonly deviation?: KnownDeviation;
  /** Milliseconds. */
  readonly duration: number;
}

/** What a run of the suite found. */
export interface Report {
  readonly format: 'livestream-mock/conformance-report';
  readonly version: 1;
  /** Version of the package that judged. */
  readonly suite: string;
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly provider: ProviderName;
  readonly readOnly: boolean;
  /** The areas that the verdict is of; all where it is absent. */
  readonly areas?: readonly Area[];
  /** Why the target could not be judged at all, and what to do: a sentence. */
  readonly unjudgeable?: string;
  /** Present where the run was ended before its time. */
  readonly interrupted?: true;
  /** Follows from the rest of the report. */
  readonly verdict: Verdict;
  /** Why the verdict is not `conformant`, and what would complete it: a sentence each. */
  readonly reasons: readonly string[];
  readonly results: readonly Result[];
  /** What the suite made on the target and could not delete. */
  readonly leftBehind: readonly string[];
  /** Always the last key: a report that was cut off does not have it. */
  readonly complete: true;
}
