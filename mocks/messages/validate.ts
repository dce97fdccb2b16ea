import type * as z from 'zod';
import { describeValue, Problem, type ProblemIssue } from './problem.ts';

/**
 * Checks a value against a schema. The schema's messages say what is expected; this adds where, and what
 * was there. The value is returned unchanged, with its keys in the sender's order.
 * @throws Problem 422 with an issue for every error, up to 20. Where two checks expect the same, it is told once.
 */
export function validate<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return value as Value;
  const issues = new Map<string, ProblemIssue>();
  for (const zodIssue of result.error.issues) {
    if (issues.size === maxIssues) break;
    const issue = toProblemIssue(zodIssue);
    issues.set(JSON.stringify([issue.path, issue.expected, issue.got]), issue);
  }
  throw new Problem('invalid', ...issues.values());
}

/** Maximum number of issues to list: a body can have an error in every byte. */
export const maxIssues = 20;

function toProblemIssue(issue: z.core.$ZodIssue): ProblemIssue {
  const got =
    issue.code === 'unrecognized_keys'
      ? describeKeys(issue.keys)
      : describeValue(wrongValue(issue));
  return { path: describePath(issue.path), expected: issue.message, got };
}

/** The wrong value; for a discriminated union, the value of the key that decides. */
function wrongValue(issue: z.core.$ZodIssue): unknown {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return issue.input;
  return (issue.input as Record<string, unknown>)[issue.discriminator];
}

/** The path of a part of a body, such as `profiles[1].fps`; `body` for the whole. */
export function describePath(path: readonly PropertyKey[]): string {
  const text = path.map(describePathStep).join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}

function describePathStep(step: PropertyKey): string {
  if (typeof step === 'number') return `[${step}]`;
  const key = String(step);
  return /^\w{1,40}$/.test(key) ? `.${key}` : `[${describeValue(key)}]`;
}

/** A short text for some unknown keys: the first ten, and how many more there are. */
export function describeKeys(keys: readonly string[]): string {
  const firstKeys = keys.slice(0, 10).map(describeValue).join(', ');
  return keys.length > 10 ? `${firstKeys} and ${keys.length - 10} more` : firstKeys;
}
