import type { Refusal } from '../../interface/dialect/cells.ts';
import { Problem } from './problem.ts';

/**
 * The value of a JSON text; `path` says in the message where the text is from.
 * @throws Problem `malformed`, with what the JavaScript engine says of it.
 */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Some engines quote a part of the text, which could be half of a secret.
    const reason = (error as Error).message.replace(/, (\.\.\.)?".*/s, '');
    throw new Problem('malformed', { path, expected: 'JSON', got: `a syntax error: ${reason}` });
  }
}

const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of some bytes of a body.
 * @throws Problem 400 for bytes that are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    const got = 'invalid UTF-8';
    throw new Problem('malformed', { path: 'body', expected: 'UTF-8', got });
  }
}

/** How deep a body may be nested if no dialect says less. JavaScript could not write much deeper JSON. */
export const maxBodyDepth = 1_000;

/** How deep JSON may be nested, and how it is refused beyond that, if a dialect says so. */
export interface DepthLimit {
  readonly deepest: number;
  readonly refusal?: Refusal;
}

/**
 * Refuses JSON that no real client sends: more levels than its limit, and the key `__proto__`.
 * @throws Problem 400, or as the limit says.
 */
export function refuseUnsafeJson(value: unknown, limit: DepthLimit, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  const { deepest, refusal } = limit;
  if (depth >= deepest) {
    const expected = `at most ${deepest} levels of nesting`;
    const problem = new Problem('malformed', { path: 'body', expected, got: 'more' });
    throw refusal === undefined ? problem : problem.refusedAs(refusal);
  }
  if (Object.hasOwn(value, '__proto__')) {
    const expected = 'no key named __proto__';
    throw new Problem('malformed', { path: 'body', expected, got: 'one' });
  }
  for (const child of Object.values(value)) refuseUnsafeJson(child, limit, depth + 1);
}
