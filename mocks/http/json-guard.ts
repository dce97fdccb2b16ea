import { describeValue, Problem } from '../problem.ts';
import { describePath } from '../validate.ts';

const deepest = 32;
/** Keys of one object, each of which may be a fault. */
const mostKeys = 10_000;

const [quote, backslash] = [0x22, 0x5c];
const [comma, colon] = [0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What a comma ends: a member of the outermost object, or an item of an array in such a member. */
export type Ended = 'member' | 'item';

/**
 * Makes what refuses a body whose values would take far more memory than its bytes do. It takes the
 * bytes as they come, returns how many keys and values they begin, and says at which commas the
 * outermost parts end. The body may be no JSON as well, which is found out elsewhere.
 * @throws Problem 400 where it nests too deep, 413 where it holds too many keys or values.
 */
export function createJsonGuard(
  mostParts: number,
  onEnd: (ended: Ended, at: number) => void = () => {},
): (bytes: Uint8Array) => number {
  let parts = 1;
  let depth = 0;
  const opened = new Uint8Array(deepest + 2);
  const keysAt = new Uint32Array(deepest + 2);
  /** How many of the next bytes belong to a string that has not ended, as far as is known. */
  let toSkip: number | undefined;

  const skipString = (bytes: Uint8Array, start: number): number => {
    const end = endOfString(bytes, start);
    toSkip = end < bytes.length ? undefined : end - bytes.length;
    return end + 1;
  };
  const endPart = (at: number): void => {
    if (opened[1] !== openObject) return;
    if (depth === 1) onEnd('member', at);
    if (depth === 2 && opened[2] === openArray) onEnd('item', at);
  };
  const step = (byte: number | undefined, at: number): void => {
    if (byte === closeArray || byte === closeObject) depth -= 1;
    else if (byte === openArray || byte === openObject) {
      parts += 1;
      depth += 1;
      opened[depth] = byte;
      keysAt[depth] = 0;
    } else if (byte === comma) {
      parts += 1;
      endPart(at);
    } else if (byte === colon) {
      parts += 1;
      keysAt[depth] = (keysAt[depth] ?? 0) + 1;
    } else return;
    refuseTooMany({ parts, mostParts, depth, keys: keysAt[depth] ?? 0 });
  };

  return (bytes) => {
    const before = parts;
    let at = toSkip === undefined ? 0 : skipString(bytes, toSkip);
    while (at < bytes.length) {
      const byte = bytes[at];
      if (byte === quote) at = skipString(bytes, at + 1);
      else {
        step(byte, at);
        at += 1;
      }
    }
    return parts - before;
  };
}

interface Counts {
  readonly parts: number;
  readonly mostParts: number;
  readonly depth: number;
  readonly keys: number;
}

function refuseTooMany({ parts, mostParts, depth, keys }: Counts): void {
  if (depth > deepest) throw tooMany(400, `${deepest} levels of nesting`);
  if (parts > mostParts) throw tooMany(413, `${mostParts} keys and values`);
  if (keys > mostKeys) throw tooMany(413, `${mostKeys} keys in an object`);
}

function tooMany(status: 400 | 413, most: string): Problem {
  return new Problem(status, `body: expected at most ${most}, got more`);
}

/** Where the quote stands that ends a string, or how far is known that it stands further on. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Whether a text may hold what {@link refuseUnsafeJson} refuses: without escapes, it can be seen. */
export function mayBeUnsafe(text: string): boolean {
  return text.includes('\\u') || text.includes('__proto__');
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
