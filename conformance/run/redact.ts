/** Replaces an API key. */
const placeholder = '[API key]';

/** Characters of a key that is replaced within a word too; a shorter one may be part of ordinary words. */
const shortest = 6;

/**
 * Replaces API keys in all strings of a value: as they are, in either letter case, and encoded once, for
 * a URL, for JSON, or in Base64, alone or within other text. A key of fewer than 6 characters is replaced
 * only between other characters than letters and digits, and not in Base64. Parts of a key, and keys that
 * are encoded otherwise, are not found.
 */
export function redact<Value>(value: Value, apiKeys: readonly string[]): Value {
  const pattern = patternOfKeys(apiKeys);
  if (pattern === null) return value;
  return walk(value, (text) => text.replace(pattern, placeholder)) as Value;
}

/** Making one takes longer than a search, and a run searches thousands of texts for the same keys. */
const patterns = new WeakMap<readonly string[], RegExp | null>();

function patternOfKeys(apiKeys: readonly string[]): RegExp | null {
  const known = patterns.get(apiKeys);
  if (known !== undefined) return known;
  const keys = apiKeys.filter((key) => key !== '').toSorted((a, b) => b.length - a.length);
  const pattern = keys.length === 0 ? null : new RegExp(keys.flatMap(patternsOf).join('|'), 'gi');
  patterns.set(apiKeys, pattern);
  return pattern;
}

function patternsOf(key: string): string[] {
  const spelled = [...key].map(patternOfCharacter).join('');
  if (key.length < shortest) return [`(?<![a-z\\d])${spelled}(?![a-z\\d])`];
  return [spelled, ...[0, 1, 2].map((before) => patternOfBase64(key, before))];
}

/** A character as it is or encoded, as encoders differ in which ones they leave. */
function patternOfCharacter(character: string): string {
  // What a shell reads as one quote, as in our own lines of curl.
  const plain = character === "'" ? "'(?:\\\\'')?" : literal(character);
  const percent = Buffer.from(character).toString('hex').replace(/../g, '%$&');
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
  return `(?:\\\\?${plain}|${percent}|\\\\u${hex})`;
}

/** A key in Base64 behind so many other bytes; without the characters that have bits of others, too. */
function patternOfBase64(key: string, before: number): string {
  const bytes = Buffer.from('\0'.repeat(before) + key);
  return bytes
    .toString('base64url')
    .slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3))
    .replace(/[-_]/g, (one) => (one === '-' ? '[+-]' : '\\\\?[/_]'));
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}

function walk(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), walk(item, change)]),
  );
}
