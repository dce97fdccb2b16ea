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

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of some bytes of a body.
 * @throws Problem 400 for bytes that are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem('malformed', {
      path: 'body',
      expected: 'UTF-8',
      got: 'bytes that are no valid UTF-8',
      error: 'body:bytes',
    });
  }
}
