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
    throw new TypeError(`expected JSON, got ${describeWrongLine(text)}`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = z.core.toDotPath(issue?.path ?? []);
  const expected = issue?.message.replace(/^Invalid (?:input|option): expected /, '');
  throw new TypeError(`${where === '' ? '' : `${where}: `}expected ${expected}`);
}

/** Where a text stops being JSON: what the JavaScript engine says of it may lack the place. */
function describeWrongLine(text: string): string {
  const lines = text.split('\n');
  const wrong = lines.findIndex(
    (_, index) => !isBeginning(`${lines.slice(0, index + 1).join('\n')}\n`),
  );
  return wrong === -1 ? 'a text that ends too early' : `an error in line ${wrong + 1}`;
}

/** Whether a text is JSON, or could go on as JSON. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return /end of JSON|Unterminated/.test(message) || Number(position) >= text.length;
  }
}
