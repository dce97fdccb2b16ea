import { hiddenKey, shortestKey } from '../../text/redact.ts';

/** Replaces keys in a text. */
export type Hide = (text: string) => string;

/**
 * Makes a function that replaces `keys` in a text, whether they are written plainly, percent-encoded or in JSON. It
 * also replaces the beginning of a key before `…`, because messages cut long values. Unlike `redact`, it runs in browsers.
 */
export function hideSecrets(keys: readonly string[]): Hide {
  const patterns = [...new Set(keys)]
    .filter(({ length }) => length >= shortestKey)
    .toSorted((left, right) => right.length - left.length)
    .flatMap((key) => [[...key].map(spellings).join(''), cutPattern(key)]);
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => text.replace(pattern, hiddenKey);
}

/** Matches the beginning of a key before a cut, which may be within a percent-encoded character. */
function cutPattern(key: string): string {
  const [first, ...following] = [...key].map(spellings);
  const split = shortestKey - 1;
  const optional = following.slice(split).reduceRight((tail, next) => `(?:${next}${tail})?`, '');
  return `${first}${following.slice(0, split).join('')}${optional}(?:%[\\da-fA-F]?)?(?=…)`;
}

/** Matches a character that is written plainly, percent-encoded, or after the backslashes of JSON. */
function spellings(character: string): string {
  const encoded = [...new TextEncoder().encode(character)].map(percent).join('');
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  if (character === '\\') return `(?:\\\\+|${encoded})`;
  return `(?:${character === '"' ? '\\\\*"' : literal}|${encoded})`;
}

function percent(byte: number): string {
  const digits = [...byte.toString(16).padStart(2, '0')];
  return `%${digits.map((digit) => `[${digit}${digit.toUpperCase()}]`).join('')}`;
}

/** Headers whose whole value is a secret. */
const secretHeaders: readonly string[] = ['cookie', 'set-cookie', 'proxy-authorization'];

/** Headers as an object. One named `__proto__` is left out, because an import refuses JSON with that key. */
export function readHeaders(
  headers: Iterable<[string, string]>,
  hide: Hide,
): Record<string, string> {
  const entries = [...headers].filter(([name]) => name !== '__proto__');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, hideInHeader(name, value, hide)]),
  );
}

function hideInHeader(name: string, value: string, hide: Hide): string {
  if (name === 'authorization') return value.replace(/(^\S+ +)?.+/, `$1${hiddenKey}`);
  return secretHeaders.includes(name) ? '[hidden]' : hide(value);
}
