import { describeValue, Problem } from '../problem.ts';
import { describePath } from '../validate.ts';

const deepest = 32;
/** Keys and values of a body: about what a full mock exports, and below 1 GB of memory. */
const mostParts = 16_000_000;
/** Keys of one object, each of which may be a fault. */
const mostKeys = 10_000;

const [quote, backslash] = [0x22, 0x5c];
const [comma, colon] = [0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses a body whose values would take far more memory than its bytes do, before one of them is
 * built. It may be no JSON as well, which is found out later.
 * @throws Problem 400 where it nests too deep, 413 where it holds too many keys or values.
 */
export function refuseUnwieldyJson(bytes: Uint8Array): void {
  let parts = 1;
  let depth = 0;
  const keysAt = new Uint32Array(deepest + 2);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === closeArray || byte === closeObject) depth -= 1;
    else if (byte === openArray || byte === openObject) {
      parts += 1;
      depth += 1;
      keysAt[depth] = 0;
    } else if (byte === comma) parts += 1;
    else if (byte === colon) {
      parts += 1;
      keysAt[depth] = (keysAt[depth] ?? 0) + 1;
    }
    refuseTooMany(parts, depth, keysAt[depth] ?? 0);
  }
}

function refuseTooMany(parts: number, depth: number, keys: number): void {
  if (depth > deepest) throw tooMany(400, `${deepest} levels of nesting`);
  if (parts > mostParts) throw tooMany(413, `${mostParts} keys and values`);
  if (keys > mostKeys) throw tooMany(413, `${mostKeys} keys in an object`);
}

function tooMany(status: 400 | 413, most: string): Problem {
  return new Problem(status, `body: expected at most ${most}, got more`);
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/**
 * Refuses JSON that is well-formed but that no honest client sends: it would be changed on its way
 * out (a lone surrogate), or is made to do harm (`__proto__`).
 * @throws Problem 400.
 */
export function refuseUnsafeJson(value: unknown): void {
  refuseUnsafePart(value, []);
}

/** Calls itself for every level: they are few in what is not unwieldy. */
function refuseUnsafePart(part: unknown, path: PropertyKey[]): void {
  if (typeof part === 'string') refuseLoneSurrogate(part, path);
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) refuseKeys(Object.keys(part), path);
  for (const [key, child] of Array.isArray(part) ? part.entries() : Object.entries(part)) {
    // One path for all parts: a path for each would take more memory than the parts.
    path.push(key);
    refuseUnsafePart(child, path);
    path.pop();
  }
}

function refuseKeys(keys: readonly string[], path: readonly PropertyKey[]): void {
  for (const key of keys) {
    refuseLoneSurrogate(key, path, 'keys of ');
    if (key === '__proto__') {
      throw new Problem(400, `${describePath(path)}: expected no key named __proto__, got one`);
    }
  }
}

function refuseLoneSurrogate(text: string, path: readonly PropertyKey[], expected = ''): void {
  if (text.isWellFormed()) return;
  throw new Problem(
    400,
    `${describePath(path)}: expected ${expected}well-formed Unicode, got a lone surrogate in ${describeValue(text)}`,
  );
}
