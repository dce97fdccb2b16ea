/** The target does not keep a requirement. The message says what was expected and what came. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
}

/** A precondition of a check could not be met. The message says which, and how to provide it. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** No answer came, so that nothing can be said of the requirement. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
