import type { Refusal } from '../../interface/dialect/cells.ts';
import { JsonError, parseJsonText } from '../../text/json-text.ts';
import { decodeUtf8, EncodingError } from '../../text/text-bytes.ts';
import { Problem } from './problem.ts';

/**
 * The JSON value of a body or of a part of one. The message does not quote it, as it could hold half of a secret.
 * @param linesBefore how many lines of the body come before the part
 * @throws Problem 400 that says where the text is not JSON.
 */
export function parseJsonBody(text: string, linesBefore?: number): unknown {
  try {
    return parseJsonText(text, linesBefore);
  } catch (exception) {
    if (!(exception instanceof JsonError)) throw exception;
    throw new Problem('malformed', { path: 'body', expected: 'JSON', got: exception.message });
  }
}

/**
 * The text of some bytes of a body.
 * @throws Problem 400 for bytes that are not UTF-8.
 */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch (exception) {
    if (!(exception instanceof EncodingError)) throw exception;
    const { found: got } = exception;
    throw new Problem('malformed', { path: 'body', expected: 'UTF-8', got });
  }
}

/** The tokens of JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/** Whether an object in some JSON, which must be valid, has a key twice. */
export function hasDuplicateKey(json: string): boolean {
  const keys: (Set<string> | undefined)[] = [];
  let previous = '';
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') keys.push(token === '{' ? new Set() : undefined);
    if (token === '}' || token === ']') keys.pop();
    if (token === ':') {
      const ofObject = keys.at(-1);
      const key = JSON.parse(previous) as string;
      if (ofObject?.has(key)) return true;
      ofObject?.add(key);
    }
    previous = token;
  }
  return false;
}

/** Whether a whole number in some JSON, which must be valid, is written with a fraction or an exponent. */
export function hasUnusualWholeNumber(json: string): boolean {
  for (const [token] of json.matchAll(tokens)) {
    if (/^-?\d.*[.eE]/.test(token) && Number.isInteger(Number(token))) return true;
  }
  return false;
}

/** How deep a body may be nested if no dialect says less. JavaScript could not write much deeper JSON. */
export const maxBodyDepth = 1_000;

/** How deep JSON may be nested, and how it is refused beyond that, if a dialect says so. */
export interface DepthLimit {
  readonly deepest: number;
  readonly refusal?: Refusal;
}

/**
 * Refuses JSON that is nested more deeply than its limit.
 * @throws Problem 400, or as the limit says.
 */
export function refuseDeepJson(value: unknown, limit: DepthLimit, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  const { deepest, refusal } = limit;
  if (depth >= deepest) {
    const expected = `at most ${deepest} levels of nesting`;
    const problem = new Problem('malformed', { path: 'body', expected, got: 'more' });
    throw problem.refusedAs(refusal);
  }
  for (const child of Object.values(value)) refuseDeepJson(child, limit, depth + 1);
}

/** The key that would change what an object inherits wherever it is assigned. */
export const protoKey = '__proto__';

/**
 * Refuses JSON with the key `__proto__` at any depth, which only a stranger can have written.
 * @throws Problem 400.
 */
export function refuseProtoKey(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, protoKey)) {
    const expected = `no key named ${protoKey}`;
    throw new Problem('malformed', { path: 'body', expected, got: 'one' });
  }
  for (const child of Object.values(value)) refuseProtoKey(child);
}

/** Removes the key `__proto__` at any depth. */
export function removeProtoKey(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, protoKey)) Reflect.deleteProperty(value, protoKey);
  for (const child of Object.values(value)) removeProtoKey(child);
}
