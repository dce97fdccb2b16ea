import type { Exchange } from '../model/report.ts';

/** The target does not satisfy a requirement. The message says what was expected and what came. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  /** The exchanges that prove it, the decisive one first. */
  readonly evidence: readonly Exchange[];

  constructor(message: string, evidence: readonly Exchange[] = []) {
    super(message);
    this.evidence = evidence;
  }
}

/** A check lacks a precondition. The message says which one, and how to provide it. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** No response came, or one beyond the suite's bounds: nothing is known about the requirement. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  /** A code of Node.js such as `ECONNREFUSED`, `TIMEOUT` or `429`; absent if a response began. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an error is about the target; any other is a fault of this program. */
export function isOfTarget(error: unknown): error is Error {
  return [Blocked, CheckFailure, NoResponse].some((kind) => error instanceof kind);
}
