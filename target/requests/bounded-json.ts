import { NoResponse } from './failure.ts';

/** Maximum depth of arrays and objects. A service may echo the deepest body that is sent, which has 1,000. */
const maxDepth = 1_024;
/** Maximum number of values, as each takes memory; thousands of sessions have fewer. */
const maxValues = 150_000;

/**
 * Parses JSON of limited depth and size.
 * @throws SyntaxError for text that is not JSON, and NoResponse, before any value is built, for JSON that
 *   exceeds the suite's limits (the interface has none).
 */
export function parseBoundedJson(text: string): unknown {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else {
      depth += levels[character] ?? 0;
      values += beginsValue.includes(character) ? 1 : 0;
    }
    if (depth > maxDepth) throw tooLarge(`${maxDepth} levels`);
    if (values > maxValues) throw tooLarge(`${maxValues} values`);
  }
  return JSON.parse(text);
}

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
/** An empty list or object counts twice, although it has no first value. */
const beginsValue = '[{,';

function tooLarge(bound: string): NoResponse {
  return new NoResponse(`expected JSON of at most ${bound}; the suite reads no more`);
}

/** The JSON of a response; `undefined` if it is not JSON, or too large to parse. */
export function jsonOf(response: { readonly json: unknown }): unknown {
  try {
    return response.json;
  } catch {
    return undefined;
  }
}
