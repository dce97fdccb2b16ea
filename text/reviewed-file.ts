import * as z from 'zod';

/**
 * Parses a JSON file that people write and review.
 * @throws TypeError with one sentence that begins with the place if the schema refuses the text.
 */
export function parseReviewed<Value>(text: string, schema: z.ZodType<Value>): Value {
  const result = schema.safeParse(parseReviewedJson(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = z.core.toDotPath(issue?.path ?? []);
  const expected = issue?.message.replace(/^Invalid (?:input|option): expected /, '');
  throw new TypeError(`${where === '' ? '' : `${where}: `}expected ${expected}`);
}

/** The value of such a file. @throws TypeError if it is not JSON. */
export function parseReviewedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`expected JSON, got a syntax error: ${(error as Error).message}`);
  }
}
