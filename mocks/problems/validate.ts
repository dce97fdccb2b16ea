import type * as z from 'zod';
import { describeValue, Problem, type ProblemIssue } from './problem.ts';

type ParseContext = z.core.ParseContext<z.core.$ZodIssue>;

/**
 * Checks a request body. The schemas' messages say what is expected; this adds where and what came.
 * The value is returned as it was sent, its keys in the sender's order.
 * @throws Problem 422 with a text for every fault, or for the first of very many.
 */
export function validate<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  return check(schema, value, { reportInput: true });
}

/**
 * Checks what may be too large for a list of all its faults: does what {@link validate} does, and ends
 * at the first part that is at fault.
 * @throws Problem 422 with the faults of that part.
 */
export function validateLarge<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  return check(schema, value, upToFirstFault);
}

/** The schemas' library has the second setting for itself, and its type does not show it. */
const upToFirstFault: ParseContext = { reportInput: true, ...{ abortEarly: true } };

function check<Value>(schema: z.ZodType<Value>, value: unknown, context: ParseContext): Value {
  const result = schema.safeParse(value, context);
  if (result.success) return value as Value;
  const { issues } = result.error;
  const shown = issues.slice(0, mostIssues).map(toProblemIssue);
  const more = issues.length - shown.length;
  if (more > 0) shown.push({ path: 'body', expected: 'no fault', got: `${more} more` });
  throw new Problem('invalid', ...shown);
}

/** A body can hold as many faults as it has bytes. */
const mostIssues = 20;

function toProblemIssue(issue: z.core.$ZodIssue): ProblemIssue {
  const got =
    issue.code === 'unrecognized_keys'
      ? describeKeys(issue.keys)
      : describeValue(faultyPart(issue));
  return { path: describePath(issue.path), expected: issue.message, got };
}

/** What came; of a value whose forms are told apart by a key, what stands under that key. */
function faultyPart(issue: z.core.$ZodIssue): unknown {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return issue.input;
  return (issue.input as Record<string, unknown>)[issue.discriminator];
}

/** Where a part of a body stands: `profiles[1].fps`; the body as a whole is `body`. */
export function describePath(path: readonly PropertyKey[]): string {
  const text = path.map(describeStep).join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}

function describeStep(step: PropertyKey): string {
  if (typeof step === 'number') return `[${step}]`;
  const key = String(step);
  return /^\w{1,40}$/.test(key) ? `.${key}` : `[${describeValue(key)}]`;
}

function describeKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, 10).map(describeValue).join(', ');
  return keys.length > 10 ? `${shown} and ${keys.length - 10} more` : shown;
}
