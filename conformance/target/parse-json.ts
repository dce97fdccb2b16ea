import { NoResponse } from './failure.ts';

/** Levels of arrays and objects; the interface has four. */
const deepest = 100;
/** Values, each of which takes memory of its own: thousands of sessions have fewer. */
const mostValues = 250_000;

/**
 * Parses JSON of bounded depth and number of values.
 * @throws SyntaxError for what is no JSON; NoAnswer, before anything is built of it, for what goes
 *   beyond the suite's own bounds, as the interface sets none.
 */
export function parseJson(text: string): unknown {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else if (character === ',') values += 1;
    else depth += depthChange[character] ?? 0;
    if (depth > deepest) throw beyond(`at most ${deepest} levels`);
    if (values > mostValues) throw beyond(`at most ${mostValues} values`);
  }
  return JSON.parse(text);
}

const depthChange: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

function beyond(bound: string): NoResponse {
  return new NoResponse(`expected JSON of ${bound}, got more, which the suite does not read`);
}
