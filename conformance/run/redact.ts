import { unescaped } from './unescape.ts';

/** Replaces an API key. */
const placeholder = '[API key]';

/** Least number of characters of a key that are replaced: fewer reveal little. */
const shortest = 6;

/** How deep encodings by Base64 and hexadecimal may be nested. */
const codedAtMost = 2;

/**
 * Replaces API keys in all strings of a value: the whole key, and every run of at least half its
 * characters (and at least 6), in either letter case. It finds keys in plain text, in escaped text
 * (for JSON, URLs, HTML or a shell, in any order, up to 8 times) and in Base64 or hexadecimal text, up
 * to twice, which it replaces as a whole. A key of fewer than 6 characters may be part of ordinary
 * words, so it is replaced only between other characters than letters and digits. Other encodings
 * are not recognized.
 */
export function redact<Value>(value: Value, apiKeys: readonly string[]): Value {
  const keys = new Set(apiKeys.flatMap((key) => unescaped(key).map(({ text }) => fold(text))));
  keys.delete('');
  return walk(value, (text) => replace(text, find(text, [...keys], codedAtMost))) as Value;
}

/** A part of a text, its end excluded. */
type Range = readonly [begin: number, end: number];

function find(text: string, keys: readonly string[], depth: number): Range[] {
  const views = unescaped(text);
  return views.flatMap((view, index) => {
    const plain = keys.flatMap((key) => runsOf(key, fold(view.text)));
    // Encoded text contains no escapes, so it is searched for once all of them are undone.
    const isLast = index === views.length - 1;
    const coded = isLast && depth > 0 ? findCoded(view.text, keys, depth) : [];
    const origin = (at: number): number => view.origins?.[at] ?? at;
    return [...plain, ...coded].map(([begin, end]): Range => [origin(begin), origin(end)]);
  });
}

/** Encodings of bytes, and how many characters encode whole bytes. */
const codings = [
  { pattern: /[\w+/-]+={0,2}/g, group: 4, decode: fromBase64 },
  { pattern: /[\da-f]+/gi, group: 2, decode: fromHexadecimal },
] as const;

function findCoded(text: string, keys: readonly string[], depth: number): Range[] {
  const long = keys.filter((key) => key.length >= shortest);
  const least = (Math.min(...long.map(halfOf)) * 4) / 3;
  const holdsKey = (decoded: string): boolean => find(decoded, long, depth - 1).length > 0;
  return codings.flatMap(({ pattern, group, decode }) =>
    [...text.matchAll(pattern)]
      .filter(
        ([code]) =>
          code.length >= least &&
          // Characters before the encoded key may look encoded too, so it may begin at any offset.
          Array.from({ length: group }, (_, skip) => decode(code.slice(skip))).some(holdsKey),
      )
      .map(({ 0: code, index }): Range => [index, index + code.length]),
  );
}

function fromBase64(code: string): string {
  const standard = code.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '');
  return atob(standard.length % 4 === 1 ? standard.slice(0, -1) : standard);
}

function fromHexadecimal(code: string): string {
  return code.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

/**
 * Where at least half of a key occurs in a text. Half a key contains at least one whole block of a
 * quarter, so each block is searched for and then extended in both directions.
 */
function runsOf(key: string, text: string): Range[] {
  const half = halfOf(key);
  const quarter = key.length < shortest ? key.length : Math.floor((half + 1) / 2);
  const found: Range[] = [];
  for (let offset = 0; offset + quarter <= key.length; offset += quarter) {
    const block = key.slice(offset, offset + quarter);
    for (let at = text.indexOf(block); at >= 0; ) {
      const [begin, end] = extend(key, offset, text, at);
      const isFound = end - begin >= half && (key.length >= shortest || isAlone(text, begin, end));
      if (isFound) found.push([begin, end]);
      at = text.indexOf(block, isFound ? end : at + 1);
    }
  }
  return found;
}

/** How far text and key are equal on both sides of a place where they are. */
function extend(key: string, offset: number, text: string, at: number): Range {
  let begin = at;
  let end = at;
  while (begin > 0 && text[begin - 1] === key[offset - 1 - (at - begin)]) begin -= 1;
  while (end < text.length && text[end] === key[offset + (end - at)]) end += 1;
  return [begin, end];
}

function halfOf(key: string): number {
  return Math.min(key.length, Math.max(shortest, Math.ceil(key.length / 2)));
}

function isAlone(text: string, begin: number, end: number): boolean {
  return !/[a-z\d]/.test(`${text[begin - 1] ?? ''}${text[end] ?? ''}`);
}

/** ASCII letters in lower case: the length of other letters may change. */
function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function replace(text: string, ranges: readonly Range[]): string {
  let result = '';
  let done = -1;
  for (const [begin, end] of ranges.toSorted(([a], [b]) => a - b)) {
    if (begin > done) result += text.slice(Math.max(done, 0), begin) + placeholder;
    done = Math.max(done, end);
  }
  return result + text.slice(Math.max(done, 0));
}

function walk(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), walk(item, change)]),
  );
}
