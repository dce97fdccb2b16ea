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
 * replaced, too. A key of fewer than 6 characters is replaced only if no letter or digit is next to it, and neither cut
 * nor in Base64. Other parts of a key, and keys in any other encoding, are not found.
 *
 * Keys and texts may come from strangers, so a search takes time in proportion to the text, whatever a key looks like.
 */
export function hideKeys(apiKeys: readonly string[]): Hide {
  const soughtTexts = [...new Set(apiKeys)].filter((key) => key !== '').flatMap(soughtFor);
  if (soughtTexts.length === 0) return (text) => text;
  const beginnings = soughtTexts.map(({ beginning }) => beginning);
  return (text) => {
    if (!mayContain(text, beginnings)) return text;
    const ranges = rangesOf(text, soughtTexts);
    return ranges.length === 0 ? text : replaceRanges(text, ranges);
  };
}

/** Quickly says that most texts contain no key: they have nothing to decode, and no beginning of a key. */
function mayContain(text: string, beginnings: readonly string[]): boolean {
  if (text.includes('%') || text.includes('\\')) return true;
  const folded = text.toLowerCase();
  return beginnings.some((beginning) => folded.includes(beginning));
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
function rangesOf(text: string, soughtTexts: readonly Sought[]): Range[] {
  const ranges: Range[] = [];
  let decoded: Decoded | undefined = encode(text);
  for (let decodings = 0; decoded !== undefined && decodings <= maxDecodings; decodings++) {
    for (const sought of soughtTexts) addRanges(ranges, decoded, sought);
    decoded = decode(decoded);
  }
  return ranges;
}

/** Bytes to look for. */
interface Sought {
  /** What every text with it contains in lower case, without characters that have several forms. */
  readonly beginning: string;
  /** Folded. */
  readonly bytes: Uint8Array;
  /** For each byte, how many bytes before and with it are also the beginning of all: where a search goes on. */
  readonly overlaps: Uint32Array;
  /** What each byte of a text is compared as. */
  readonly folds: Uint8Array;
  /** Whether it is found only if no letter or digit is next to it. */
  readonly isWord: boolean;
}

/** A key as it is and as its own escapes decode, because a text is decoded with them; then the key in Base64. */
function soughtFor(key: string): Sought[] {
  const isWord = key.length < shortestKey;
  const plain: Sought[] = [];
  let decoded: Decoded | undefined = encode(key);
  for (let decodings = 0; decoded !== undefined && decodings <= maxDecodings; decodings++) {
    // Little may remain of a key that is mostly escapes, and ordinary text has that, too.
    const isEnough = decodings === 0 || decoded.bytes.length >= shortestKey;
    if (isEnough) plain.push(toSought(decoded.bytes, letterFolds, isWord));
    decoded = decode(decoded);
  }
  if (isWord) return plain;
  const inBase64 = [0, 1, 2].map((before) => toUtf8(toBase64(key, before)));
  return [...plain, ...inBase64.map((bytes) => toSought(bytes, base64Folds, isWord))];
}

function toSought(exactBytes: Uint8Array, folds: Uint8Array, isWord: boolean): Sought {
  const bytes = new Uint8Array(exactBytes.length);
  const overlaps = new Uint32Array(exactBytes.length);
  let overlap = 0;
  for (let index = 0; index < exactBytes.length; index++) {
    const byte = folds[exactBytes[index] as number] as number;
    bytes[index] = byte;
    if (index === 0) continue;
    while (overlap > 0 && byte !== bytes[overlap]) overlap = overlaps[overlap - 1] as number;
    if (byte === bytes[overlap]) overlap++;
    overlaps[index] = overlap;
  }
  const first = String.fromCharCode(...bytes.subarray(0, shortestKey));
  const beginning = /^[^+/\x80-\xff]*/.exec(first)?.[0] ?? '';
  return { beginning, bytes, overlaps, folds, isWord };
}

/** Both letter cases are one. */
const letterFolds = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** The two alphabets of Base64 are one as well. */
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
 * Finds what is sought, and its beginning before a cut. This is the search of Knuth, Morris and Pratt: it reads each
 * byte once, even if the text repeats the beginning of what is sought.
 */
function addRanges(ranges: Range[], { bytes, starts }: Decoded, sought: Sought): void {
  const { folds, overlaps, isWord } = sought;
  const first = sought.bytes[0];
  const length = sought.bytes.length;
  const add = (from: number, to: number): void => {
    if (isWord && (isLetterOrDigit(bytes[from - 1]) || isLetterOrDigit(bytes[to]))) return;
    ranges.push({ start: starts[from] as number, end: starts[to] as number });
  };
  let found = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = folds[bytes[index] as number];
    if (found === 0 && byte !== first) continue;
    while (found > 0 && byte !== sought.bytes[found]) found = overlaps[found - 1] as number;
    if (byte === sought.bytes[found]) found++;
    const next = index + 1;
    if (found === length) {
      add(next - found, next);
      found = overlaps[found - 1] as number;
    } else if (found >= shortestKey && isCut(bytes, next)) {
      add(next - found, next);
    }
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
