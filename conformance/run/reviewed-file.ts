import * as z from 'zod';

/**
 * Reads a JSON file that people write and review.
 * @throws TypeError, in one sentence that begins with the place, for a text that the schema refuses
 */
export function parseReviewed<Value>(text: string, schema: z.ZodType<Value>): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError('expected a JSON file, got text that is not JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = z.core.toDotPath(issue?.path ?? []);
  throw new TypeError(`${where === '' ? '' : `${where}: `}expected ${issue?.message}`);
}
