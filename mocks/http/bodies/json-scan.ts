import { Problem } from '../../problems/problem.ts';

const usualDepth = 32;
/** Most keys of one object, as each of them may be an error. */
const mostKeys = 10_000;

const [quote, backslash] = [0x22, 0x5c];
const [comma, colon] = [0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What a comma ends: a member of the outermost object, or an item of an array that is such a member. */
export type Ended = 'member' | 'item';

/** The state of a scan through the bytes of a JSON text. */
export interface JsonScan {
  readonly mostParts: number;
  /** Most arrays and objects in each other. */
  readonly deepest: number;
  /** Keys and values so far. */
  parts: number;
  depth: number;
  /** For each depth, the bracket that was opened last and the number of keys within it. */
  readonly opened: Uint8Array;
  readonly keys: Uint32Array;
  /** Whether the next byte is in a string, or is escaped there. */
  within: 'string' | 'escape' | undefined;
}

/** The state at the beginning of a text that may have `mostParts` keys and values. */
export function startScan(
  mostParts: number = Number.POSITIVE_INFINITY,
  deepest: number = usualDepth,
): JsonScan {
  return {
    mostParts,
    deepest,
    parts: 1,
    depth: 0,
    opened: new Uint8Array(deepest + 2),
    keys: new Uint32Array(deepest + 2),
    within: undefined,
  };
}

/**
 * Scans the next bytes of a text, and refuses one whose values would need far more memory than its
 * bytes. It does not find out whether the text is JSON. `onEnd` is called for the commas between the
 * outermost parts.
 * @throws Problem 400 for too many levels of nesting, 413 for too many keys or values.
 */
export function scanJson(
  scan: JsonScan,
  bytes: Uint8Array,
  onEnd: (ended: Ended, at: number) => void = () => {},
): void {
  let at =
    scan.within === undefined ? 0 : skipString(scan, bytes, scan.within === 'string' ? 0 : 1);
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === quote) at = skipString(scan, bytes, at + 1);
    else {
      if (byte === comma) tellEnd(scan, at, onEnd);
      countByte(scan, byte);
      at += 1;
    }
  }
}

function tellEnd(
  { depth, opened }: JsonScan,
  at: number,
  onEnd: (ended: Ended, at: number) => void,
): void {
  if (depth > 2 || opened[1] !== openObject) return;
  if (depth === 1) onEnd('member', at);
  else if (depth === 2 && opened[2] === openArray) onEnd('item', at);
}

function countByte(scan: JsonScan, byte: number | undefined): void {
  const { keys } = scan;
  if (byte === closeArray || byte === closeObject) scan.depth -= 1;
  else if (byte === openArray || byte === openObject) {
    scan.parts += 1;
    scan.depth += 1;
    scan.opened[scan.depth] = byte;
    keys[scan.depth] = 0;
  } else if (byte === comma) scan.parts += 1;
  else if (byte === colon) {
    scan.parts += 1;
    keys[scan.depth] = (keys[scan.depth] ?? 0) + 1;
  } else return;
  refuseTooMany(scan);
}

function refuseTooMany({ mostParts, deepest, parts, depth, keys }: JsonScan): void {
  if (depth > deepest) {
    throw tooMany('malformed', `${deepest} levels of nesting`, 'body:deep');
  }
  if (parts > mostParts) throw tooMany('too-large', `${mostParts} keys and values`);
  if ((keys[depth] ?? 0) > mostKeys) throw tooMany('too-large', `${mostKeys} keys in an object`);
}

function tooMany(code: 'malformed' | 'too-large', most: string, error?: string): Problem {
  return new Problem(code, { path: 'body', expected: `at most ${most}`, got: 'more', error });
}

/** The index after a string; beyond the bytes if the string goes on in the next chunk. */
function skipString(scan: JsonScan, bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  if (at < bytes.length) scan.within = undefined;
  else scan.within = at === bytes.length ? 'string' : 'escape';
  return at + 1;
}
