/** What an HTTP answer to a refused request may have for a status; 507 where a store failed. */
export type ProblemStatus = 400 | 401 | 403 | 404 | 413 | 415 | 416 | 422 | 429 | 507;

/**
 * A refusal: the request was understood as far as `status` says, and changed nothing
 * (507 alone comes after the change, which could not be kept). Each text says where, what was expected and what came.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: ProblemStatus;
  readonly texts: readonly string[];

  constructor(status: ProblemStatus, ...texts: readonly string[]) {
    super(texts.join('; '));
    this.status = status;
    this.texts = texts;
  }
}

/** A short text for a value in a message: `"30"`, `null`, `an array of 3`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 60 ? `${firstCharacters(value, 59)}…` : value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** Cut by characters, so that no surrogate pair is split. */
function firstCharacters(text: string, count: number): string {
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}
