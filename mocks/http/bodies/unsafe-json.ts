import { describeValue, Problem } from '../../problems/problem.ts';
import { describePath } from '../../problems/validate.ts';

/** Whether a text may hold what {@link refuseUnsafeJson} refuses; false for most texts. */
export function mayBeUnsafe(text: string): boolean {
  return text.includes('\\u') || text.includes('__proto__');
}

/**
 * Refuses well-formed JSON that no honest client sends: a lone surrogate, which would come back as another
 * character, and the key `__proto__`.
 * @throws Problem 400.
 */
export function refuseUnsafeJson(value: unknown): void {
  refuseUnsafePart(value, []);
}

/** Recursive: the number of levels was limited before. */
function refuseUnsafePart(part: unknown, path: PropertyKey[]): void {
  if (typeof part === 'string') refuseLoneSurrogate(part, path);
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) refuseKeys(Object.keys(part), path);
  for (const [key, child] of Array.isArray(part) ? part.entries() : Object.entries(part)) {
    // One array for the path of all parts: an array for each would need more memory than the parts.
    path.push(key);
    refuseUnsafePart(child, path);
    path.pop();
  }
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
