import type { Refusal } from '../../interface/dialect/cells.ts';

/** Each reason to refuse a request, with the HTTP status of the response. */
const problemStatuses = {
  /** The request cannot be read. */
  malformed: 400,
  /** The request can be read, but a rule of the service forbids it. */
  'not-allowed': 400,
  unauthorized: 401,
  forbidden: 403,
  /** There is no such route, record or file. */
  unknown: 404,
  /** The stream is live already. */
  conflict: 409,
  'too-large': 413,
  'unsupported-type': 415,
  'bad-range': 416,
  invalid: 422,
  /** A limit of the mock is reached. */
  full: 429,
  /** Another process has the world. */
  elsewhere: 503,
  /** The store does not respond. */
  unavailable: 503,
  /** The change was made, but the store could not keep it. */
  'not-kept': 507,
} as const;

/** Why a request was refused. */
export type ProblemCode = keyof typeof problemStatuses;

/** The HTTP status of a refused request. */
export type ProblemStatus = (typeof problemStatuses)[ProblemCode];

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
  /** The id of the error. A dialect says how a client is refused for it; without an id, the problem's code decides. */
  readonly error?: string | undefined;
  /** How a client is refused, if a behaviour says so. */
  readonly refusal?: Refusal | undefined;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request. It changed nothing, except with `not-kept`: then the change is in effect. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: ProblemStatus;
  readonly issues: readonly ProblemIssue[];

  constructor(code: ProblemCode, ...issues: readonly ProblemIssue[]) {
    super(issues.map(describeIssue).join('; '));
    this.code = code;
    this.status = problemStatuses[code];
    this.issues = issues;
  }

  /** Where the first issue is. */
  get path(): string {
    return this.issues[0]?.path ?? '';
  }

  /** The id of the first error. */
  get error(): string | undefined {
    return this.issues[0]?.error;
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
