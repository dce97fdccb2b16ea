import type { Area, Basis, Level } from '../requirement.ts';

/**
 * How a check ended. `blocked`: a precondition could not be met. `inapplicable`: the target's owner
 * says that the requirement does not apply. `untested`: no check can be, or was to be, run.
 * `error`: the harness itself failed.
 */
export const outcomes = ['pass', 'fail', 'blocked', 'inapplicable', 'untested', 'error'] as const;

/** How a check ended. */
export type Outcome = (typeof outcomes)[number];

/** What the suite concludes. */
export type Verdict = 'conformant' | 'nonconformant' | 'incomplete';

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
  /** Last day on which it is accepted, such as `2026-12-31`. */
  readonly expires: string;
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
  /** The requests of the check; the last one is the one that decided. Kept where it did not pass. */
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
  readonly verdict: Verdict;
  /** Why the verdict is not `conformant`, and what would complete it: a sentence each. */
  readonly reasons: readonly string[];
  readonly results: readonly Result[];
  /** Streams that the suite made and could not delete. */
  readonly leftBehind: readonly string[];
  /** Always the last key: a report that was cut off does not have it. */
  readonly complete: true;
}
