import { describeJsonError } from './json-error.ts';
import { Problem } from './problem.ts';

/**
 * The value of a JSON text; `path` says in the message where the text is from.
 * @throws Problem `malformed`, with the place where the text stops being JSON.
 */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('malformed', { path, expected: 'JSON', got: describeJsonError(text) });
  }
}
