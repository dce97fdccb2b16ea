import type { Manners } from '../../interface/dialect.ts';
import type { ListOperation } from '../../interface/errors.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import { meet } from '../service/meet.ts';

/** A query parameter as it was sent. */
interface Query {
  readonly name: string;
  /** Its value; null where it was not sent. */
  readonly text: string | null;
  readonly expected: string;
  /** What is wrong with its value; by default nothing, but the list may not have the parameter. */
  readonly kind?: string | undefined;
  readonly measure?: number | undefined;
  /** Its own name, where the list has no such parameter. */
  readonly sent?: string;
}

/**
 * Meets a query parameter, or what is wrong with its value: returns the value with which to go on;
 * `undefined` where there is none, or it is dropped.
 * @throws Problem 422 where it is refused
 */
export function takeQuery(
  manners: Manners,
  list: ListOperation,
  { name, text, expected, kind = 'given', measure, sent = name }: Query,
): string | undefined {
  if (text === null) return undefined;
  const error = `query:${name}:${kind}`;
  const problem = () =>
    new Problem('invalid', { path: `query ${sent}`, expected, got: describeValue(text), error });
  // A fraction can be rounded, which a text cannot.
  const value = kind === 'fraction' ? Number(text) : text;
  const taken = meet(manners, list, { error, measure, problem }, value);
  return taken === undefined ? undefined : String(taken);
}
