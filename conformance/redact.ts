/** What stands where an API key was. */
const keyPlaceholder = '[API key]';

/**
 * Replaces an API key in all the strings of a value: in every spelling that an echo may give it, and
 * where a string was cut off within it.
 */
export function redact<Value>(value: Value, apiKey: string): Value {
  const patterns = [...spellings(apiKey)].flatMap(toPieces).map(toPattern);
  return walk(value, (text) =>
    patterns
      .reduce((result, pattern) => result.replace(pattern, keyPlaceholder), text)
      .replace(/(?:\[API key\]){2,}/g, keyPlaceholder),
  ) as Value;
}

/** The key as it stands, in hexadecimal, and its base64 behind any number of other bytes: a pattern per character. */
function* spellings(apiKey: string): Generator<string[]> {
  yield (apiKey.match(/\\+|[^\\]/g) ?? []).map(anySpelling);
  yield [...apiKey].map((character) => character.charCodeAt(0).toString(16));
  for (const offset of [0, 1, 2]) {
    const encoded = btoa('\0'.repeat(offset) + apiKey).replace(/=+$/, '');
    // The characters at both ends hold bits of what stands before and behind the key.
    const end = encoded.length - ((offset + apiKey.length) % 3 === 0 ? 0 : 1);
    const own = encoded.slice(Math.ceil((offset * 4) / 3), end);
    if (own.length >= 4) yield [...own].map(base64Spelling);
  }
}

function base64Spelling(character: string): string {
  if (character === '+') return `(?:-|${anySpelling('+')})`;
  return character === '/' ? `(?:_|${anySpelling('/')})` : character;
}

/**
 * A visible ASCII character, or a run of backslashes, as it stands and escaped: for JSON once or
 * more, for a URL, for HTML or for a shell.
 */
function anySpelling(character: string): string {
  const run = character.length;
  if (character.startsWith('\\')) {
    return `(?:(?:%(?:25){0,3}5c|\\\\{1,8}u005c){${run}}|\\\\{${run},${8 * run}})`;
  }
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  const entity = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }[character];
  const plain = /\w/.test(character) ? character : `\\x${hex}`;
  const spelt = [
    `\\\\{0,7}${plain}`,
    `\\\\{1,8}u00${hex}`,
    `%(?:25){0,3}${hex}`,
    `&(?:amp;)?#0{0,6}${code};`,
    `&(?:amp;)?#x0{0,6}${hex};`,
    ...(entity === undefined ? [] : [`&(?:amp;)?${entity};`]),
    ...(character === "'" ? [String.raw`'\\{1,8}''`] : []),
  ];
  return `(?:${spelt.reverse().join('|')})`;
}

/** Characters below which a key is a part of ordinary words: it is replaced where it stands alone. */
const shortest = 6;

/**
 * A key may be too long for one expression. Each piece goes on into the next, for what is left of
 * that where the key was cut off; so the last is looked for first.
 */
function toPieces(characters: string[]): string[][] {
  const pieces = Math.ceil(characters.length / 32);
  const length = Math.ceil(characters.length / pieces);
  return Array.from({ length: pieces }, (_, index) =>
    characters.slice(index * length, (index + 2) * length),
  )
    .filter((piece) => piece.length > 0)
    .reverse();
}

function toPattern(characters: readonly string[]): RegExp {
  if (characters.length < shortest) {
    return new RegExp(`(?<![a-z0-9])${characters.join('')}(?![a-z0-9])`, 'gi');
  }
  const half = Math.max(shortest, Math.ceil(characters.length / 2));
  const rest = characters.slice(half).reduceRight((tail, one) => `(?:${one}${tail})?`, '');
  return new RegExp(characters.slice(0, half).join('') + rest, 'gi');
}

function walk(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), walk(item, change)]),
  );
}
