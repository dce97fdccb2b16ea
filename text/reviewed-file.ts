import * as z from 'zod';
import { JsonError, parseJsonText } from './json-text.ts';

/**
 * Parses a JSON file that people write and review.
 * @param quotes whether a message may quote the file; not if it can hold a key
 * @throws TypeError with one sentence that begins with the place if the schema refuses the text.
 */
export function parseReviewed<Value>(
  text: string,
  schema: z.ZodType<Value>,
  quotes: 'a line' | 'nothing' = 'a line',
): Value {
  const result = schema.safeParse(parseReviewedJson(text, quotes));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = z.core.toDotPath(issue?.path ?? []);
  const expected = issue?.message.replace(/^Invalid (?:input|option): expected /, '');
  throw new TypeError(`${where === '' ? '' : `${where}: `}expected ${expected}`);
}

/** The value of such a file. @throws TypeError if it is not JSON, or is nested too deeply. */
export function parseReviewedJson(text: string, quotes: 'a line' | 'nothing' = 'a line'): unknown {
  const value = parseAny(text, quotes);
  if (isDeeperThan(deepest, value)) {
    throw new TypeError(`expected at most ${deepest} levels of nesting, got more`);
  }
  return value;
}

function parseAny(text: string, quotes: 'a line' | 'nothing'): unknown {
  try {
    return parseJsonText(text);
  } catch (exception) {
    if (!(exception instanceof JsonError)) throw exception;
    const quoted = quotes === 'a line' && exception.excerpt !== '' ? `: ${exception.excerpt}` : '';
    throw new TypeError(`expected JSON, got ${exception.message}${quoted}`);
  }
}

/** More than in any response that the suite reads, as that can become part of a dialect, and no more than schemas can check. */
const deepest = 1_100;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}
