import { mapStrings } from './visible.ts';

/** The text that replaces an API key. */
export const hiddenKey = '[API key]';

/** Shorter keys may be part of ordinary words. The mock has none, and the suite does not replace them within a word. */
export const shortestKey = 6;

/**
 * Replaces API keys in all strings of a value: as they are, in either letter case, and encoded once for
 * a URL, for JSON or in Base64, alone or within other text. A key of fewer than 6 characters is replaced
 * only if no letter or digit is next to it, and not in Base64. Parts of a key, and keys in any other
 * encoding, are not found. `hideSecrets` of the mock is a second function, because it hides only what the mock writes:
 * in browsers, which have no `Buffer`, exactly in its letter case, and also if a message cuts a key.
 */
export function redact<Value>(value: Value, apiKeys: readonly string[]): Value {
  const pattern = patternOfKeys(apiKeys);
  if (pattern === null) return value;
  return mapStrings(value, (text) => text.replace(pattern, hiddenKey)) as Value;
}

/** Building a pattern takes longer than a search, and a run searches thousands of texts for the same keys. */
const patterns = new Map<string, RegExp | null>();

function patternOfKeys(apiKeys: readonly string[]): RegExp | null {
  const name = apiKeys.join('\n');
  const existing = patterns.get(name);
  if (existing !== undefined) return existing;
  const keys = apiKeys.filter((key) => key !== '').toSorted((a, b) => b.length - a.length);
  const pattern = keys.length === 0 ? null : new RegExp(keys.flatMap(patternsOf).join('|'), 'gi');
  patterns.set(name, pattern);
  return pattern;
}

function patternsOf(key: string): string[] {
  const json = JSON.stringify(key).slice(1, -1);
  const spellings = [
    key,
    encodeURIComponent(key),
    encodeURI(key),
    json,
    json.replaceAll('/', '\\/'),
  ];
  // In our own curl commands, quotes are escaped for a shell.
  const quoted = spellings.map((spelling) => spelling.replaceAll("'", `'\\''`));
  const literals = [...new Set([...quoted, ...spellings])].map((spelling) =>
    spelling.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  );
  if (key.length < shortestKey) return literals.map((text) => `(?<![a-z\\d])${text}(?![a-z\\d])`);
  return [...literals, ...[0, 1, 2].map((before) => patternOfBase64(key, before))];
}

/** A key in Base64 after this many other bytes, without the characters that also encode bits of other bytes. */
function patternOfBase64(key: string, before: number): string {
  const bytes = Buffer.from('\0'.repeat(before) + key);
  return bytes
    .toString('base64url')
    .slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3))
    .replace(/[-_]/g, (character) => (character === '-' ? '[+-]' : '\\\\?[/_]'));
}
