import { mapStrings } from './visible.ts';

/** The text that replaces an API key. */
export const hiddenKey = '[API key]';

/** Shorter keys may be part of ordinary words. The mock has none, and the suite does not replace them within a word. */
export const shortestKey = 6;

/** Replaces keys in a text. */
export type Hide = (text: string) => string;

/** Replaces API keys in all strings of a value, as {@link hideKeys} does. */
export function redact<Value>(value: Value, apiKeys: readonly string[]): Value {
  return mapStrings(value, hideKeys(apiKeys)) as Value;
}

/**
 * Makes a function that replaces API keys in a text: in either letter case, alone or within other text, and in Base64.
 * Each character may be written as it is, percent-encoded, as an escape of JSON, or quoted for a shell, up to
 * {@link maxDecodings} times over (`%2541` is `A`). Messages cut long values, so the beginning of a key before `…` is
 * replaced, too. A key of fewer than 6 bytes is replaced only if no letter or digit is next to it, and neither cut
 * nor in Base64. A key that has escapes of its own, without which fewer than 6 bytes remain, is not found where other
 * characters of it are escaped. Other parts of a key, and keys in any other encoding, are not found.
 *
 * Keys and texts may come from strangers, so a search takes time in proportion to the text, whatever a key looks like and
 * however many there are.
 *
 * @param alsoHidden keys that were prepared before, because preparing many for each text would take long
 */
export function hideKeys(apiKeys: readonly string[], alsoHidden: PreparedKeys = []): Hide {
  const allSought = [...alsoHidden, ...prepareKeys(apiKeys)];
  if (allSought.length === 0) return (text) => text;
  return (text) => {
    const ranges = rangesOf(text, allSought);
    return ranges.length === 0 ? text : replaceRanges(text, ranges);
  };
}

/** Keys in all their forms, prepared for a search of any number of texts. */
export type PreparedKeys = readonly Sought[];

/** Prepares keys, so that {@link hideKeys} can hide them together with others. */
export function prepareKeys(apiKeys: readonly string[]): PreparedKeys {
  const keys = [...new Set(apiKeys)].filter((key) => key !== '');
  if (keys.length === 0) return [];
  return [
    toSought(keys.flatMap(plainForms), letterFolds),
    toSought(keys.flatMap(base64Forms), base64Folds),
  ];
}

/** Part of a text, from its start to before its end. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Replaces ranges. Those that overlap are replaced together: a key may begin with another key. */
function replaceRanges(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = [];
  let replacedUntil = 0;
  for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
    if (start >= replacedUntil) pieces.push(text.slice(replacedUntil, start), hiddenKey);
    replacedUntil = Math.max(replacedUntil, end);
  }
  return pieces.join('') + text.slice(replacedUntil);
}

/** How often a text is decoded. Each time takes as long as the first, and a stranger could ask for any number. */
const maxDecodings = 4;

/** Searches a text as it stands, then decoded once, and so on. */
function rangesOf(text: string, allSought: PreparedKeys): Range[] {
  const ranges: Range[] = [];
  let decoded: Decoded | undefined = encode(text);
  for (let decodings = 0; decoded !== undefined && decodings <= maxDecodings; decodings++) {
    for (const sought of allSought) addRanges(ranges, decoded, sought);
    decoded = decode(decoded);
  }
  return ranges;
}

/** A key as it is and as its own escapes decode, because a text is decoded with them. */
function plainForms(key: string): Uint8Array[] {
  const forms: Uint8Array[] = [];
  let decoded: Decoded | undefined = encode(key);
  for (let decodings = 0; decoded !== undefined && decodings <= maxDecodings; decodings++) {
    // A key that is mostly escapes may decode to very little, which ordinary text contains as well.
    if (decodings === 0 || decoded.bytes.length >= shortestKey) forms.push(decoded.bytes);
    decoded = decode(decoded);
  }
  return forms;
}

function base64Forms(key: string): Uint8Array[] {
  if (toUtf8(key).length < shortestKey) return [];
  return [0, 1, 2].map((before) => toUtf8(toBase64(key, before)));
}

/**
 * Byte sequences to look for, as the automaton of Aho and Corasick: a tree in which sequences share their beginnings.
 * A node, which is its number, stands for the bytes from the root, node 0, to it.
 */
interface Sought {
  /** What each byte of a text is compared as. */
  readonly folds: Uint8Array;
  /** The child of the root for each byte; 0 if there is none. */
  readonly firstNodes: Uint32Array;
  /** By node: its last byte. */
  readonly bytes: Uint8Array;
  /** By node: how many bytes it stands for. */
  readonly depths: Uint32Array;
  /** By node: its first child, and the next child of its parent; 0 if there is none. */
  readonly children: Uint32Array;
  readonly siblings: Uint32Array;
  /** By node: the longest end of its bytes that another node stands for. */
  readonly fallbacks: Uint32Array;
  /** By node: the longest sequence that its bytes end with, as a node; 0 if there is none. */
  readonly ends: Uint32Array;
}

function toSought(sequences: readonly Uint8Array[], folds: Uint8Array): Sought {
  const size = sequences.reduce((sum, { length }) => sum + length, 1);
  const sought: Sought = {
    folds,
    firstNodes: new Uint32Array(256),
    bytes: new Uint8Array(size),
    depths: new Uint32Array(size),
    children: new Uint32Array(size),
    siblings: new Uint32Array(size),
    fallbacks: new Uint32Array(size),
    ends: new Uint32Array(size),
  };
  let count = 1;
  for (const sequence of sequences) {
    let node = 0;
    for (const exactByte of sequence) {
      const byte = folds[exactByte] as number;
      const child = childOf(sought, node, byte) || addChild(sought, node, byte, count++);
      node = child;
    }
    sought.ends[node] = node;
  }
  linkFallbacks(sought, count);
  return sought;
}

/** The child of a node for a byte; 0 if there is none. */
function childOf({ firstNodes, bytes, children, siblings }: Sought, node: number, byte: number) {
  if (node === 0) return firstNodes[byte] as number;
  let child = children[node] as number;
  while (child !== 0 && bytes[child] !== byte) child = siblings[child] as number;
  return child;
}

function addChild(sought: Sought, parent: number, byte: number, child: number): number {
  const { firstNodes, bytes, depths, children, siblings } = sought;
  bytes[child] = byte;
  depths[child] = (depths[parent] as number) + 1;
  siblings[child] = children[parent] as number;
  children[parent] = child;
  if (parent === 0) firstNodes[byte] = child;
  return child;
}

/** Fills in the fallbacks of all nodes, and the ends that these bring, from the root down. */
function linkFallbacks(sought: Sought, count: number): void {
  const { bytes, children, siblings, fallbacks, ends } = sought;
  const queue = new Uint32Array(count);
  let queued = 1;
  for (let at = 0; at < queued; at++) {
    const node = queue[at] as number;
    for (let child = children[node] as number; child !== 0; child = siblings[child] as number) {
      if (node !== 0) {
        const fallback = step(sought, fallbacks[node] as number, bytes[child] as number);
        fallbacks[child] = fallback;
        if (ends[child] === 0) ends[child] = ends[fallback] as number;
      }
      queue[queued++] = child;
    }
  }
}

/** The node for the longest end, with one more byte, of the bytes that a node stands for. */
function step(sought: Sought, from: number, byte: number): number {
  let node = from;
  let child = childOf(sought, node, byte);
  while (child === 0 && node !== 0) {
    node = sought.fallbacks[node] as number;
    child = childOf(sought, node, byte);
  }
  return child;
}

/** Upper and lower case count as the same. */
const letterFolds = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** The two alphabets of Base64 also count as the same. */
const base64Folds = letterFolds.map((folded, byte) => {
  if (byte === 0x2d) return 0x2b;
  return byte === 0x5f ? 0x2f : folded;
});

/** A key in Base64 after this many other bytes, without the characters that also encode bits of other bytes. */
function toBase64(key: string, before: number): string {
  // `btoa` takes one character for each byte.
  const binary = key.replace(/[^\0-\x7f]/gu, (character) =>
    String.fromCharCode(...toUtf8(character)),
  );
  const length = before + binary.length;
  return btoa('\0'.repeat(before) + binary).slice(
    Math.ceil((before * 4) / 3),
    Math.floor((length * 4) / 3),
  );
}

/**
 * Finds what is sought, and its beginning before a cut. It reads each byte once, even if the text repeats the beginning
 * of what is sought, and however many keys there are.
 */
function addRanges(ranges: Range[], { bytes, starts }: Decoded, sought: Sought): void {
  const { folds, depths, ends, fallbacks } = sought;
  const add = (from: number, to: number): void => {
    ranges.push({ start: starts[from] as number, end: starts[to] as number });
  };
  let node = 0;
  for (let index = 0; index < bytes.length; index++) {
    node = step(sought, node, folds[bytes[index] as number] as number);
    if (node === 0) continue;
    const next = index + 1;
    // What ends here is within the longest that does, except words, which count only if they stand alone.
    for (
      let end = ends[node] as number;
      end !== 0;
      end = ends[fallbacks[end] as number] as number
    ) {
      const begin = next - (depths[end] as number);
      const isWord = next - begin < shortestKey;
      if (isWord && (isLetterOrDigit(bytes[begin - 1]) || isLetterOrDigit(bytes[next]))) continue;
      add(begin, next);
      break;
    }
    const depth = depths[node] as number;
    if (depth >= shortestKey && isCut(bytes, next)) add(next - depth, next);
  }
}

function isLetterOrDigit(byte: number | undefined): boolean {
  return byte !== undefined && /[a-z\d]/i.test(String.fromCharCode(byte));
}

/** Whether `…` is at an index. */
function isCut(bytes: Uint8Array, index: number): boolean {
  return bytes[index] === 0xe2 && bytes[index + 1] === 0x80 && bytes[index + 2] === 0xa6;
}

/** A text in UTF-8. */
interface Decoded {
  readonly bytes: Uint8Array;
  /** For each byte, and for the end, where in the original text it is written. */
  readonly starts: Uint32Array;
}

function encode(text: string): Decoded {
  const bytes = toUtf8(text);
  const starts = new Uint32Array(bytes.length + 1);
  let start = 0;
  let nextStart = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    const isFirstOfCharacter = (byte & 0xc0) !== 0x80;
    if (isFirstOfCharacter) {
      start = nextStart;
      // A character of four bytes is two units of a string.
      nextStart += byte >= 0xf0 ? 2 : 1;
    }
    starts[index] = start;
  }
  starts[bytes.length] = text.length;
  return { bytes, starts };
}

/** Decodes a text once; `undefined` if there is nothing to decode. */
function decode({ bytes, starts }: Decoded): Decoded | undefined {
  if (!bytes.includes(percentSign) && !bytes.includes(backslash)) return undefined;
  const decodedBytes = new Uint8Array(bytes.length);
  const decodedStarts = new Uint32Array(bytes.length + 1);
  let length = 0;
  for (let index = 0; index < bytes.length; ) {
    const sequence = readEscape(bytes, index);
    const characters = sequence?.decoded ?? [bytes[index] as number];
    for (const byte of characters) {
      decodedBytes[length] = byte;
      decodedStarts[length++] = starts[index] as number;
    }
    index += sequence?.length ?? 1;
  }
  if (length === bytes.length) return undefined;
  decodedStarts[length] = starts[bytes.length] as number;
  return {
    bytes: decodedBytes.subarray(0, length),
    starts: decodedStarts.subarray(0, length + 1),
  };
}

/** Something that stands for other bytes, and how many bytes it takes itself. */
interface Escape {
  readonly decoded: readonly number[];
  readonly length: number;
}

const percentSign = 0x25;
const quotationMark = 0x27;
const backslash = 0x5c;
const letterU = 0x75;

/** What the letters after a backslash stand for in JSON, as bytes. Other characters there stand for themselves. */
const jsonEscapes: ReadonlyMap<number | undefined, number> = new Map(
  Object.entries({
    '"': '"',
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
  }).map(([letter, character]) => [letter.charCodeAt(0), character.charCodeAt(0)]),
);

function readEscape(bytes: Uint8Array, index: number): Escape | undefined {
  const byte = bytes[index];
  if (byte === percentSign) return readPercentEncoded(bytes, index);
  if (byte === backslash) return readJsonEscape(bytes, index);
  return byte === quotationMark ? readShellQuote(bytes, index) : undefined;
}

function readPercentEncoded(bytes: Uint8Array, index: number): Escape | undefined {
  const code = readDigits(bytes, index + 1, 2);
  return code === undefined
    ? readCutEscape(bytes, index, index + 1)
    : { decoded: [code], length: 3 };
}

function readJsonEscape(bytes: Uint8Array, index: number): Escape | undefined {
  const letter = bytes[index + 1];
  if (letter !== letterU) {
    const character = jsonEscapes.get(letter);
    if (character !== undefined) return { decoded: [character], length: 2 };
    return readCutEscape(bytes, index, index + 1);
  }
  const unit = readDigits(bytes, index + 2, 4);
  if (unit === undefined) return readCutEscape(bytes, index, index + 2);
  const isPair = bytes[index + 6] === backslash && bytes[index + 7] === letterU;
  const second = isPair ? readDigits(bytes, index + 8, 4) : undefined;
  if (second !== undefined && isSurrogate(unit, 0xd800) && isSurrogate(second, 0xdc00)) {
    const codePoint = 0x10000 + (unit - 0xd800) * 0x400 + second - 0xdc00;
    return { decoded: utf8Of(codePoint), length: 12 };
  }
  return { decoded: utf8Of(unit), length: 6 };
}

/** Whether a unit is one of the 1,024 surrogates from the first one. */
function isSurrogate(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}

/** One character in UTF-8. A text may have many escapes, and a `TextEncoder` takes long for each. */
function utf8Of(codePoint: number): readonly number[] {
  if (codePoint < 0x80) return [codePoint];
  const last = 0x80 | (codePoint & 0x3f);
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), last];
  const third = 0x80 | ((codePoint >> 6) & 0x3f);
  if (codePoint < 0x10000) return [0xe0 | (codePoint >> 12), third, last];
  return [0xf0 | (codePoint >> 18), 0x80 | ((codePoint >> 12) & 0x3f), third, last];
}

/** An escape of which a cut has left only the beginning, as in `%2…`. */
function readCutEscape(bytes: Uint8Array, index: number, digitsStart: number): Escape | undefined {
  let end = digitsStart;
  while (end < digitsStart + 3 && hexDigits.has(bytes[end])) end++;
  return isCut(bytes, end) ? { decoded: [], length: end - index } : undefined;
}

/** How a shell quotes one quotation mark within others. */
const shellQuote = toUtf8(`'\\''`);

function readShellQuote(bytes: Uint8Array, index: number): Escape | undefined {
  const isQuote = shellQuote.every((byte, offset) => bytes[index + offset] === byte);
  return isQuote ? { decoded: [quotationMark], length: shellQuote.length } : undefined;
}

/** Hexadecimal digits and their values. */
const hexDigits: ReadonlyMap<number | undefined, number> = new Map(
  [...'0123456789abcdefABCDEF'].map((digit) => [digit.charCodeAt(0), Number.parseInt(digit, 16)]),
);

/** A number in exactly this many hexadecimal digits; `undefined` if they are not there. */
function readDigits(bytes: Uint8Array, start: number, count: number): number | undefined {
  let value = 0;
  for (let index = start; index < start + count; index++) {
    const digit = hexDigits.get(bytes[index]);
    if (digit === undefined) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function toUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
