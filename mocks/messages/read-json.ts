import type * as z from 'zod';
import { describeValue, Problem, type ProblemIssue } from './problem.ts';

/**
 * The value of a JSON text; `path` says in the message where the text is from.
 * @throws Problem `malformed`, with what the JavaScript engine says of it.
 */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Some engines quote a part of the text, which could be half of a secret.
    const reason = (error as Error).message.replace(/, (\.\.\.)?".*/s, '');
    throw new Problem('malformed', { path, expected: 'JSON', got: `a syntax error: ${reason}` });
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of some bytes of a body.
 * @throws Problem 400 for bytes that are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const got = 'invalid UTF-8';
    throw new Problem('malformed', { path: 'body', expected: 'UTF-8', got, error: 'body:bytes' });
  }
}

/** How deep arrays and objects of a body may be nested. */
const defaultDepth = 32;

/**
 * Refuses JSON that no real client sends: more than `deepest` levels, and the key `__proto__`.
 * @throws Problem 400.
 */
export function refuseUnsafeJson(value: unknown, deepest: number = defaultDepth, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= deepest) {
    const expected = `at most ${deepest} levels of nesting`;
    throw new Problem('malformed', { path: 'body', expected, got: 'more', error: 'body:deep' });
  }
  if (Object.hasOwn(value, '__proto__')) {
    const expected = 'no key named __proto__';
    throw new Problem('malformed', { path: 'body', expected, got: 'one' });
  }
  for (const part of Object.values(value)) refuseUnsafeJson(part, deepest, depth + 1);
}

/**
 * Checks a value against a schema. The schema's messages say what is expected; this adds where, and what
 * was there. The value is returned unchanged, with its keys in the sender's order.
 * @throws Problem 422 with an issue for every error, up to 20.
 */
export function validate<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return value as Value;
  throw new Problem('invalid', ...result.error.issues.slice(0, maxIssues).map(toProblemIssue));
}

/** Maximum number of issues to list: a body can have an error in every byte. */
export const maxIssues = 20;

function toProblemIssue(issue: z.core.$ZodIssue): ProblemIssue {
  const got =
    issue.code === 'unrecognized_keys' ? describeKeys(issue.keys) : describeValue(wrongPart(issue));
  return { path: describePath(issue.path), expected: issue.message, got };
}

/** The wrong value; for a discriminated union, the value of the key that decides. */
function wrongPart(issue: z.core.$ZodIssue): unknown {
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
  const shown = keys.slice(0, 10).map(describeValue).join(', ');
  return keys.length > 10 ? `${shown} and ${keys.length - 10} more` : shown;
}
