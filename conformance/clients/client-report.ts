import type { CutOff, TrialOutcome } from './outcomes.ts';
import type { SentRequests } from './sent-requests.ts';

/** Every {@link ClientVerdict}. */
export const clientVerdicts = ['survives', 'breaks', 'undecided'] as const;

/**
 * What is concluded about an app. `breaks`: a variant or a dialect breaks it that is not known to, or one that is known
 * to no longer does. `undecided`: its tests do not pass with the plain mock, are unsteady, met no variant, or were ended by
 * the budget when they took much longer with a variant than with the plain mock.
 */
export type ClientVerdict = (typeof clientVerdicts)[number];

/** Every {@link TrialKind}. */
export const trialKinds = ['variant', 'combination', 'apart', 'dialect'] as const;

/**
 * What the tests were run with. `combination`: several variants that break the app only together, or are known to. `apart`: a variant
 * that most apps or their tests cannot survive; it does not count. `dialect`: a file that was given.
 */
export type TrialKind = (typeof trialKinds)[number];

/** A run of the tests in which they failed. */
export interface FailedRun {
  /** The line for a shell that runs the tests again with the same trial. API keys are replaced. */
  readonly command: string;
  /** How the tests failed, such as `failed with status 1`. */
  readonly failure: string;
  /** The end of what the tests wrote; of TAP, the failed tests come last, and passed ones are left out. */
  readonly output: string;
  /** How many requests of the run are known. */
  readonly requests: number;
  /** The file with these requests, beside the first report. */
  readonly archive?: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** How an app did under one trial. */
export interface TrialResult {
  /** The name of the variant, or several joined by `+`; the name or the file of a dialect. */
  readonly name: string;
  readonly kind: TrialKind;
  readonly outcome: TrialOutcome;
  /** What the service did. */
  readonly statement: string;
  /** The clause that leaves it open, such as `4.3`, and why. */
  readonly clause?: string;
  readonly argument?: string;
  /** Why it has not survived, and what to do. */
  readonly message?: string;
  /** How many responses it changed in the run that decided. */
  readonly changed: number;
  /** How many requests of that run came to a mock that behaved like it. If none did, the tests do not use it. */
  readonly answered: number;
  /** Present if the budget ended a run with it, so that it was not tried. */
  readonly cutOff?: CutOff;
  /** Why the app may break, as the file of `--known` says. */
  readonly known?: string;
  /** The run in which the tests failed. */
  readonly evidence?: FailedRun;
}

/** What a run of `check-client` found. */
export interface ClientReport {
  readonly format: 'livestream-mock/client-report';
  readonly version: 1;
  /** The version of the package that ran. */
  readonly suite: string;
  /** The command line of the tests. API keys are replaced. */
  readonly tests: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  /** How often the tests were run. */
  readonly runs: number;
  /** Present if it was interrupted. */
  readonly interrupted?: true;
  readonly verdict: ClientVerdict;
  /** Why the app does not survive, or why that cannot be decided, in one sentence each. */
  readonly reasons: readonly string[];
  /** Why nothing could be said about any variant, and what to do, in one sentence. */
  readonly unjudgeable?: string;
  /** The run with the plain mock in which the tests failed, if there was one. */
  readonly plainFailure?: FailedRun;
  readonly results: readonly TrialResult[];
  readonly sent: SentRequests;
  /** Always the last key, so that a report that was cut off lacks it. */
  readonly complete: true;
}
