import type { Exchange } from '../model/report.ts';

/** The target does not keep a requirement. The message says what was expected and what came. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  /** The exchanges that it rests on, the decisive one first. */
  readonly evidence: readonly Exchange[];

  constructor(message: string, evidence: readonly Exchange[] = []) {
    super(message);
    this.evidence = evidence;
  }
}

/** A precondition of a check could not be met. The message says which, and how to provide it. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** No answer came, so that nothing can be said of the requirement. */
export class NoResponse extends Error {
  override readonly name = 'NoAnswer';
  /** Why there was none at all, as Node.js names it (`ECONNREFUSED`); or `TIMEOUT`, or `429`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}
