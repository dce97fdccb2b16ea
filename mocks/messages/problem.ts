import { refusalStatuses } from '../../interface/default-responses.ts';
import type { Refusal } from '../../interface/dialect/cells.ts';

/** Why a request was refused. */
export type ProblemCode = keyof typeof refusalStatuses;

/** The HTTP status of a refused request. */
export type ProblemStatus = (typeof refusalStatuses)[ProblemCode];

/** One thing that is wrong with a request. */
export interface ProblemIssue {
  /** Where it is: `profiles[1].fps`, `query limit`, `header range`. */
  readonly path: string;
  readonly expected: string;
  /** What was there instead, in a few words; see {@link describeValue}. */
  readonly got: string | number;
  /** What failed. The message then says this instead of what was expected and what was there. */
  readonly failure?: string;
  /** What to do next. */
  readonly advice?: string | undefined;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request. It changed nothing, except with `not-kept`: then the change is in effect. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: ProblemStatus;
  readonly issues: readonly ProblemIssue[];
  #refusal: Refusal | undefined;

  constructor(code: ProblemCode, ...issues: readonly ProblemIssue[]) {
    super(issues.map(describeIssue).join('; '));
    this.code = code;
    this.status = refusalStatuses[code];
    this.issues = issues;
  }

  /** Where the first issue is. */
  get path(): string {
    return this.issues[0]?.path ?? '';
  }

  /** How a client is refused: as {@link refusedAs} decided, or else with the status of the code. */
  get refusal(): Refusal {
    return this.#refusal ?? { status: this.status };
  }

  /** Decides how a client is refused, if a dialect says so, and returns the problem to throw. */
  refusedAs(refusal: Refusal | undefined): this {
    this.#refusal = refusal;
    return this;
  }

  /** A sentence for each issue. */
  get texts(): readonly string[] {
    return this.issues.map(describeIssue);
  }
}

/** An issue as a sentence: `profiles[1].fps: expected a whole number above 0, got "30"`. */
function describeIssue({ path, expected, got, failure, advice }: ProblemIssue): string {
  const wrong = failure ?? `expected ${expected}, got ${got}`;
  return `${path}: ${wrong}${advice === undefined ? '' : `; ${advice}`}`;
}

/** A short text for a value in a message: `"30"`, `null`, `an array of 3`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
