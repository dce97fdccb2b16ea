import type { ZodType, z } from 'zod';
import { describeValue, Problem } from './problem.ts';

/**
 * Checks a request body. The schemas' messages say what is expected; this adds where and what came.
 * The value is returned as it was sent, its keys in the sender's order.
 * @throws Problem 422 with a text for every fault.
 */
export function validate<Value>(schema: ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return value as Value;
  throw new Problem(422, ...result.error.issues.map(describeIssue));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const came =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(describeValue).join(', ')
      : describeValue(issue.input);
  return `${describePath(issue.path)}: expected ${issue.message}, got ${came}`;
}

/** `profiles[1].fps`; the value as a whole is `body`. */
function describePath(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}
