import { Problem } from './problem.ts';

/**
 * The value of a JSON text; `path` says in the message where the text is from.
 * @throws Problem `malformed`, with what the JavaScript engine says of it.
 */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const got = `a syntax error: ${describeError(text, error as Error)}`;
    throw new Problem('malformed', { path, expected: 'JSON', got });
  }
}

/** Without the part of the text that some engines quote, which could be half of a secret. */
function describeError(text: string, { message }: Error): string {
  const [, reason, position] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
  if (reason === undefined) return message.replace(/, (\.\.\.)?".*/s, '');
  const lines = text.slice(0, Number(position)).split('\n');
  return `${reason} at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
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
