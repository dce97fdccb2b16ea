import { NoResponse } from './failure.ts';

/** Levels of arrays and objects. A service may echo the deepest body that is sent, which has 1,000. */
const deepest = 1_024;
/** Each value takes memory of its own; thousands of sessions have fewer. */
const maxValues = 150_000;

/**
 * Parses JSON of bounded depth and size.
 * @throws SyntaxError for text that is not JSON; NoResponse, before any value is built, for JSON
 *   beyond the suite's bounds (the interface sets none)
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
    if (depth > deepest) throw tooLarge(`${deepest} levels`);
    if (values > maxValues) throw tooLarge(`${maxValues} values`);
  }
  return JSON.parse(text);
}

const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
/** An empty list or object has no first value, and counts twice. */
const beginsValue = '[{,';

function tooLarge(bound: string): NoResponse {
  return new NoResponse(
    `expected JSON of at most ${bound}, got more, which the suite does not read`,
  );
}
