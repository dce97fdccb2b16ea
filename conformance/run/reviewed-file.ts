import * as z from 'zod';

/**
 * Reads a JSON file that people write and review.
 * @throws TypeError, in one sentence that begins with the place, for a text that the schema refuses
 */
export function parseReviewed<Value>(text: string, schema: z.ZodType<Value>): Value {
  const result = schema.safeParse(parseReviewedJson(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = z.core.toDotPath(issue?.path ?? []);
  const expected = issue?.message.replace(/^Invalid (?:input|option): expected /, '');
  throw new TypeError(`${where === '' ? '' : `${where}: `}expected ${expected}`);
}

/** The value of such a file. @throws TypeError that names the line which is not JSON */
export function parseReviewedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(`expected JSON, got ${describeWrongLine(text)}`);
  }
}

/** Where a text stops being JSON: what the JavaScript engine says of it may lack the place. */
function describeWrongLine(text: string): string {
  const lines = text.split('\n');
  // Whether so many lines are the beginning of JSON is found by halves, as a file may have many.
  let right = 0;
  let most = lines.length;
  while (right < most) {
    const middle = Math.ceil((right + most) / 2);
    if (isBeginning(`${lines.slice(0, middle).join('\n')}\n`)) right = middle;
    else most = middle - 1;
  }
  return right === lines.length ? 'a text that ends too early' : `an error in line ${right + 1}`;
}

/** Whether a text is JSON, or could go on as JSON. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return message.includes('end of JSON') || Number(position) >= text.length;
  }
}
