import { describeValue, Problem } from './problem.ts';
import { describePath } from './validate.ts';

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
  const line = lines.length === 1 ? '' : `line ${lines.length}, `;
  return `${reason} at ${line}column ${(lines.at(-1) ?? '').length + 1}`;
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

/** How many arrays and objects may be in each other. */
const usualDepth = 32;

/**
 * Refuses well-formed JSON that no honest client sends: more than `deepest` levels; a lone surrogate, which
 * would come back as another character; and the key `__proto__`.
 * @throws Problem 400.
 */
export function refuseUnsafeJson(value: unknown, deepest: number = usualDepth): void {
  refuseUnsafePart(value, [], deepest);
}

function refuseUnsafePart(part: unknown, path: PropertyKey[], deepest: number): void {
  if (typeof part === 'string') refuseLoneSurrogate(part, path);
  if (typeof part !== 'object' || part === null) return;
  if (path.length >= deepest) throw tooDeep(deepest);
  if (!Array.isArray(part)) refuseKeys(Object.keys(part), path);
  for (const [key, child] of Array.isArray(part) ? part.entries() : Object.entries(part)) {
    // One array for the path of all parts: an array for each would need more memory than the parts.
    path.push(key);
    refuseUnsafePart(child, path, deepest);
    path.pop();
  }
}

function tooDeep(deepest: number): Problem {
  return new Problem('malformed', {
    path: 'body',
    expected: `at most ${deepest} levels of nesting`,
    got: 'more',
    error: 'body:deep',
  });
}

function refuseKeys(keys: readonly string[], path: readonly PropertyKey[]): void {
  for (const key of keys) {
    refuseLoneSurrogate(key, path, 'keys of ');
    if (key === '__proto__') {
      throw new Problem('malformed', {
        path: describePath(path),
        expected: 'no key named __proto__',
        got: 'one',
      });
    }
  }
}

function refuseLoneSurrogate(text: string, path: readonly PropertyKey[], expected = ''): void {
  if (text.isWellFormed()) return;
  throw new Problem('malformed', {
    path: describePath(path),
    expected: `${expected}well-formed Unicode`,
    got: `a lone surrogate in ${describeValue(text)}`,
  });
}
