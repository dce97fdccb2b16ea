import { unescaped } from './unescape.ts';

/** What stands where an API key was. */
const placeholder = '[API key]';

/** Characters of a key that may stay: fewer say little of it. */
const shortest = 6;

/** Base64 and hexadecimal are undone as often as this, one within the other. */
const codedAtMost = 2;

/**
 * Replaces API keys in all the strings of a value: whole, and every run of half a key's characters
 * or more (at least 6), in either letter case. A key is found as it stands, escaped (for JSON, a
 * URL, HTML or a shell, in any order and number up to 8), and within what is base64 or hexadecimal,
 * up to twice, which is then replaced as a whole. A key below 6 characters, a part of ordinary
 * words, is replaced where it stands alone, as it stands or escaped. Any other encoding is left.
 */
export function redact<Value>(value: Value, apiKeys: readonly string[]): Value {
  const keys = new Set(apiKeys.flatMap((key) => unescaped(key).map(({ text }) => fold(text))));
  keys.delete('');
  return walk(value, (text) => replace(text, find(text, [...keys], codedAtMost))) as Value;
}

/** Where a part of a text begins, and where it has ended. */
type Range = readonly [begin: number, end: number];

function find(text: string, keys: readonly string[], depth: number): Range[] {
  const views = unescaped(text);
  return views.flatMap((view, index) => {
    const plain = keys.flatMap((key) => runsOf(key, fold(view.text)));
    // What is coded has no escapes within it, so they may all be undone before it is looked for.
    const isLast = index === views.length - 1;
    const coded = isLast && depth > 0 ? findCoded(view.text, keys, depth) : [];
    const origin = (at: number): number => view.origins?.[at] ?? at;
    return [...plain, ...coded].map(([begin, end]): Range => [origin(begin), origin(end)]);
  });
}

/** Encodings of bytes: what they look like, and how many characters stand for whole bytes. */
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
          // What stands before the key's may be of the same characters, so it may begin anywhere.
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
 * Where at least half of a key stands in a text. So long a run of it has one whole block of a
 * quarter in it: that is searched for, and followed in both directions.
 */
function runsOf(key: string, text: string): Range[] {
  const half = halfOf(key);
  const quarter = key.length < shortest ? key.length : Math.floor((half + 1) / 2);
  const found: Range[] = [];
  for (let offset = 0; offset + quarter <= key.length; offset += quarter) {
    const block = key.slice(offset, offset + quarter);
    for (let at = text.indexOf(block); at >= 0; ) {
      const [begin, end] = follow(key, offset, text, at);
      const isFound = end - begin >= half && (key.length >= shortest || isAlone(text, begin, end));
      if (isFound) found.push([begin, end]);
      at = text.indexOf(block, isFound ? end : at + 1);
    }
  }
  return found;
}

/** How far a text is equal to a key on both sides of a place where it is. */
function follow(key: string, offset: number, text: string, at: number): Range {
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

/** The letters of ASCII in lower case: other letters may change their length. */
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
